"""The manual as a site: complete, without warnings, and without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.manual import build_site, local_pages

pytestmark = pytest.mark.skipif(
    find_spec("sphinx") is None, reason="Sphinx is in the environment of one release only"
)
ROOT = build_site.ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as users build it; warnings would be errors."""
    output = tmp_path_factory.mktemp("site") / "manual"
    command = [sys.executable, build_site.__file__, f"--output={output}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{output / 'index.html'}\n"
    return output


def pages_of(site: Path) -> dict[Path, str]:
    """The pages, by their paths."""
    return {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def test_every_page_of_the_project_is_there(site: Path):
    sources = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    made = [site / path.relative_to(ROOT).with_suffix(".html") for path in sources]
    assert len(made) > 40
    assert [path for path in made if not path.is_file()] == []
    begin = (site / "README.html").read_text(encoding="utf-8")
    links = [path.relative_to(site).as_posix() for path in made if path.name != "README.html"]
    assert [link for link in links if f'href="{link}"' not in begin] == []


def test_every_picture_and_link_is_there(site: Path):
    missing: list[str] = []
    for path, text in pages_of(site).items():
        for link in re.findall(r'(?:src|href)="([^"]+)"', text):
            name, _, _ = link.partition("#")
            name = name.partition("?")[0]
            if name and ":" not in link and not (path.parent / name).exists():
                missing.append(f"{path.name}: {link}")
    assert missing == []


def test_pages_ask_no_network(site: Path):
    for path, text in pages_of(site).items():
        loaded = re.findall(r"<(?:script|link|img|iframe|source)\b[^>]*>", text)
        assert [tag for tag in loaded if re.search(r'(?:src|href)="(?:https?:)?//', tag)] == [], (
            path
        )
    for path in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", path.read_text("utf-8"))


def test_f1_finds_the_same_fields_on_the_site(site: Path):
    reference = local_pages.reference(ROOT / "docs" / "reference")
    for name, text in reference.items():
        page = (site / "docs" / "reference" / f"{name}.html").read_text(encoding="utf-8")
        for anchor in local_pages.anchors(text):
            assert f'id="{anchor}"' in page
            field = (site / "f1" / f"{anchor}.html").read_text(encoding="utf-8")
            assert f"url=../docs/reference/{name}.html#{anchor}" in field


def test_it_can_be_searched_without_a_server(site: Path):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert "docs/reference/vehicles" in index


def test_every_name_in_the_contents_is_a_page():
    names = [path.relative_to(ROOT).with_suffix("") for path in build_site.texts()]
    for patterns in build_site.CONTENTS.values():
        for pattern in patterns:
            assert any(name.match(pattern) for name in names), pattern


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("See [nothing](nowhere.md).", "nowhere.md"),
        ("See [nothing](#nowhere).", "nowhere"),
        ("![A picture](images/none.png)", "none.png"),
    ],
)
def test_what_leads_nowhere_is_an_error(tmp_path: Path, text: str, told: str):
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / "README.md").write_text("# Begin\n\nHere.\n", encoding="utf-8")
    (root / "docs" / "manual.md").write_text(f"# Manual\n\n{text}\n", encoding="utf-8")
    program = (
        "import sys; from pathlib import Path; from tools.manual import build_site as b; "
        f"b.ROOT = Path({str(root)!r}); sys.exit(b.build(Path({str(tmp_path / 'made')!r})))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert told in done.stderr
    assert not (tmp_path / "made").exists()
