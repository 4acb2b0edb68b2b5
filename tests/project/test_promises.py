"""What pages promise stands in a test: the sentence, and the file and name of the test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tools.environment import ROOT

KINDS = "tests/blender/authoring/test_fit_destinations.py"
PASTE, SCRIPT = "tests/blender/authoring/test_json_paste.py", "tests/blender/test_scripting.py"
FIXES = "tests/blender/operators/test_fix_issues.py"
SOURCES = "tests/cli/test_sources.py"
OPERATORS, API = "tests/blender/operators/test_every_operator.py", "tests/test_api.py"
NAMES = "tests/blender/host/test_named_nodes.py"
HANDLES, DRAGGED = (
    "tests/blender/overlay/handles/test_table.py",
    "tests/blender/overlay/test_handles_in_window.py",
)
SHOWN, BEHIND = (
    "tests/blender/preview/posing/test_display.py",
    "tests/blender/preview/posing/test_backdrop.py",
)
MANUAL, SITE = "tests/blender/test_manual.py", "tests/tools/manual/test_build_site.py"
PROMISES: dict[str, dict[str, tuple[str, str]]] = {
    "docs/bringing_over.md": {
        "*For Godot* a suffix behind the names of meshes with colliders of their own": (
            NAMES,
            "test_suffixes_of_godot",
        ),
        "*For Unreal* a prefix before those of *Collision Only* meshes that are below others, by "
        "the shape of their collider": (NAMES, "test_prefixes_of_unreal"),
        "Objects keep their names. Meshes of *Collision Only* are written then": (
            NAMES,
            "test_names_alone_bring_colliders_back",
        ),
        "puts the active object as glTF into the clipboard: its own node, those of its parts, and "
        "the entries, shapes and meshes that these use. *Paste JSON* makes the selected objects "
        "what such a text says": (PASTE, "test_what_examples_copy_makes_another_object_the_same"),
        "All that the objects were in physics before goes.": (
            PASTE,
            "test_pasting_takes_what_was_there_before",
        ),
        "the message says where by JSON pointer, and nothing changes": (
            PASTE,
            "test_what_is_wrong_is_told_with_its_place_and_changes_nothing",
        ),
        "the text is refused where one is not there": (
            PASTE,
            "test_what_is_wrong_is_told_with_its_place_and_changes_nothing",
        ),
        "a joint whose other end is not there is pasted without it, and told": (
            PASTE,
            "test_a_joint_without_its_other_end_is_told",
        ),
        "of both families and their older forms": (PASTE, "test_older_forms_are_pasted"),
        "It is one step of undo, however many objects are selected.": (
            OPERATORS,
            "test_undo_and_redo",
        ),
    },
    "docs/command_line.md": {
        "`check`, `inspect` and `expect` take several files, folders with all files below them, "
        "and globs": (SOURCES, "test_inspect_tells_every_file"),
        "`fix`, `convert`, `export`, `import`, `colliders` and `simulate` take a folder or a "
        "glob and the folder to write into": (
            SOURCES,
            "test_what_blender_does_is_json_too_and_takes_folders",
        ),
        "`fix assets --in-place` and `fix assets --dry-run` need no second one": (
            SOURCES,
            "test_fix_tells_of_a_folder_what_it_would_do_and_does_it_in_place",
        ),
    },
    "docs/commands/expect.md": {
        "those are played that have such a file beside them": (
            SOURCES,
            "test_expect_takes_of_folders_what_has_expectations",
        ),
    },
    "docs/checking.md": {
        "*Fix All…* says first how each error and warning of the list can be set right, and on how "
        "many objects": (FIXES, "test_it_says_first_what_it_will_do"),
        "then it does all of it in one step of undo": (OPERATORS, "test_undo_and_redo"),
        "Remarks, what is ignored and what has no button are left alone": (
            FIXES,
            "test_what_is_ignored_or_a_remark_stays",
        ),
    },
    "docs/releasing.md": {
        "makes a site of README, the change log and all of `docs`": (
            SITE,
            "test_every_page_of_the_project_is_there",
        ),
        "Warnings are errors, such as a link that leads nowhere, and then there is no new site.": (
            SITE,
            "test_what_leads_nowhere_is_an_error",
        ),
        "The pages load nothing from elsewhere": (SITE, "test_pages_ask_no_network"),
        "can be searched, on a server and as files": (
            SITE,
            "test_it_can_be_searched_without_a_server",
        ),
        "so each field has a file of its own, which leads to its row": (
            "tests/tools/manual/test_local_pages.py",
            "test_each_field_has_a_file_that_leads_to_its_row",
        ),
    },
    "docs/engines.md": {
        "An engine gets the family that it reads, whatever *Family* says": (
            "tests/blender/host/test_export_godot.py",
            "test_an_engine_gets_the_family_that_it_reads",
        ),
    },
    "docs/manual.md": {
        "**F1** with the pointer over a field or a button of the add-on opens its row in the "
        "reference": (
            "tests/blender/whole/test_manual_in_window.py",
            "test_f1_opens_the_row_of_fields_and_operators",
        ),
        "every property with its unit, range and default": (
            MANUAL,
            "test_every_field_has_one_row_and_every_row_a_field",
        ),
        "The pages come with the extension and need no network.": (
            "tests/tools/manual/test_local_pages.py",
            "test_our_extension_has_them_and_they_are_small",
        ),
        "*Manual Site* in the preferences of the add-on takes the address": (
            MANUAL,
            "test_the_site_of_the_preferences_comes_first",
        ),
        "Blender itself knows no page for the names of list entries, nor up to 4.5 for "
        "preferences.": (
            MANUAL,
            "test_f1_finds_the_row_of_everything",
        ),
        "with type, mass, shape, material and filter, to be sorted and edited in place": (
            "tests/blender/base/test_object_table.py",
            "test_a_row_has_a_cell_for_each_column",
        ),
        "have presets in the headers of their panels.": (
            "tests/blender/operators/presets/test_part_presets.py",
            "test_a_preset_brings_all_values_back",
        ),
        "Keyframes on numbers of physics are written as animations of KHR_animation_pointer": (
            "tests/blender/scene/keyed/test_keyframes.py",
            "test_numbers_of_a_body_have_the_axes_of_the_file",
        ),
        "Keys that are all linear or all constant stay as they are; other curves are written frame "
        "by frame.": (
            "tests/blender/scene/keyed/test_keyframes.py",
            "test_curves_are_sampled_where_glTF_has_none_like_them",
        ),
        "the export names each of them once.": (
            "tests/blender/scene/keyed/test_keyframes.py",
            "test_what_no_number_follows_is_told_once",
        ),
        "those of bodies, materials, joints and vehicles become keyframes to be edited": (
            "tests/blender/host/test_keyed_physics.py",
            "test_keyframes_say_what_the_file_does_and_come_back",
        ),
        "Animations of physics in an imported file are kept with the object or the shared entry "
        "that they move.": (
            "tests/blender/host/test_animated_physics.py",
            "test_all_that_moves_comes_back",
        ),
        "They travel with it, and the next export writes them, whatever numbers its lists have by "
        "then.": (
            "tests/blender/host/test_animated_physics.py",
            "test_it_travels_with_its_objects",
        ),
        "`convert` does the same from one family to the other.": (
            "tests/cli/test_convert.py",
            "test_animations_move_the_same_in_another_family",
        ),
        "says what the shapes have, beside what is given, and a button takes it.": (
            "tests/blender/authoring/following/test_body_masses.py",
            "test_a_button_takes_what_the_shapes_say",
        ),
        "faces of a trimesh have that of their material, so that one mesh of ice and grass becomes "
        "two colliders in files": (
            "tests/blender/scene/test_mesh_sources.py",
            "test_a_mesh_of_ice_and_grass_becomes_two_colliders",
        ),
        "The viewport has *Handles* of the active object": (
            HANDLES,
            "test_every_scene_has_its_handles",
        ),
        "*Offset and Turn* in the overlay popover adds those that move and turn a shape.": (
            HANDLES,
            "test_settings_show_handles",
        ),
        "Shift is slower, with Alt both sides of a shape move, and a number typed meanwhile is the "
        "value; the header shows it. Esc puts it back, and a pull is one step of undo.": (
            DRAGGED,
            "test_handles_are_dragged",
        ),
        "leaves the mesh out of the picture, and the overlay crosses it out": (
            "tests/blender/overlay/test_shape_marks.py",
            "test_collision_only_meshes_are_crossed_out",
        ),
        "A click on the middle of a symbol that is seen, such as a joint or a seat, selects its "
        "empty.": (
            DRAGGED,
            "test_symbols_are_clicked",
        ),
        "A pivot moves both frames of a joint where they are in one place": (
            HANDLES,
            "test_a_pivot_moves_both_frames",
        ),
        "With *One More* what is selected in Edit Mode gets a shape beside those that are there.": (
            KINDS,
            "test_a_second_selection_keeps_the_first_shape",
        ),
        "where the mesh has changed, and *Follow Mesh* does it by itself": (
            "tests/blender/authoring/following/test_refitting.py",
            "test_it_follows_by_itself_where_that_is_asked_for",
        ),
        "what you changed by hand stays": (
            "tests/blender/authoring/following/test_refitting.py",
            "test_what_was_changed_by_hand_stays",
        ),
    },
    "docs/preview.md": {
        "*This Scene* shows your objects where the bodies take them": (
            SHOWN,
            "test_the_artists_scene_shows_the_bodies",
        ),
        "what you move or edit while it plays is kept": (SHOWN, "test_edits_disturb_nothing"),
        "Files that are saved, also by a crash, have your places.": (
            SHOWN,
            "test_a_file_that_a_crash_left_has_the_artists_places",
        ),
        "files get the scene as it was": (SHOWN, "test_an_export_has_the_artists_places"),
        "work from where objects are without the preview": (
            SHOWN,
            "test_operators_work_from_where_objects_are",
        ),
        "while a menu is open, it waits, and objects are seen there": (
            SHOWN,
            "test_while_something_else_listens_objects_are_where_they_are",
        ),
        "What bones bend": (BEHIND, "test_the_skin_follows_in_the_artists_scene"),
        "what stands in instances of collections with bodies that move": (
            BEHIND,
            "test_bodies_in_instances_fall_in_the_artists_scene",
        ),
        "a background of your own stays behind it": (
            BEHIND,
            "test_the_background_that_was_there_is_kept",
        ),
        "They can be dragged": (BEHIND, "test_the_mouse_finds_what_only_copies_show"),
        "a viewport is in local view": (BEHIND, "test_a_view_in_local_view_has_a_copy"),
        "Its timeline goes back to frames that were played": (
            "tests/blender/preview/test_looking_back.py",
            "test_frames_are_seen_again_as_they_were",
        ),
        "going back ends the preview, which says so": (
            "tests/blender/preview/test_looking_back.py",
            "test_where_frames_are_not_kept_looking_back_ends_it",
        ),
    },
    "docs/decomposition.md": {
        "boxes that together fill the mesh and need no library": (
            KINDS,
            "test_voxels_of_a_table_are_boxes_that_replace_each_other",
        ),
    },
    "docs/api.md": {
        "These functions need no Blender.": (
            API,
            "test_files_need_no_blender_and_scenes_say_that_they_do",
        ),
        "A file that cannot be used or written raises `SourceError`": (
            API,
            "test_what_cannot_be_read_or_written_names_the_file",
        ),
        "their names, what they take and what they give stay": (
            API,
            "test_the_page_names_every_function_and_no_other",
        ),
        "It is typed.": (API, "test_every_function_is_typed"),
        "Records are frozen": (API, "test_records_are_frozen"),
        "the file is there as a whole, or as it was before": (
            API,
            "test_a_file_that_cannot_be_finished_stays_as_it_was",
        ),
        "elsewhere they raise `ImportError`": (
            API,
            "test_files_need_no_blender_and_scenes_say_that_they_do",
        ),
        "What cannot be done raises `ValueError` or `RuntimeError` with a message that says why.": (
            SCRIPT,
            "test_what_cannot_be_done_says_why_and_changes_nothing",
        ),
        "Functions that take several objects evaluate the scene once": (
            SCRIPT,
            "test_time_grows_with_the_number_of_objects",
        ),
        "plays the scene, which stays as it was": (
            SCRIPT,
            "test_a_played_body_falls_and_the_scene_stays",
        ),
        "gives its wheels": (SCRIPT, "test_a_vehicle_gets_its_wheels_without_a_selection"),
        "gives the types of the shapes": (SCRIPT, "test_a_fit_replaces_a_shape_and_tells_it"),
    },
}
EACH = [
    (page, sentence, *held)
    for page, sentences in PROMISES.items()
    for sentence, held in sentences.items()
]


@pytest.mark.parametrize(("page", "sentence", "file", "test"), EACH)
def test_a_promise_is_made_and_held(page: str, sentence: str, file: str, test: str) -> None:
    words = " ".join((ROOT / page).read_text(encoding="utf-8").replace("| ", " ").split())
    assert " ".join(sentence.split()) in words
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def anchors(text: str) -> set[str]:
    """The names with which links reach the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], ids=lambda path: path.name
)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text):
        name, _, anchor = link.partition("#")
        if "://" in link:
            continue
        to = page.parent / name if name else page
        assert to.exists(), link
        assert not anchor or anchor in anchors(to.read_text(encoding="utf-8")), link
