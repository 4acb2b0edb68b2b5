# Plays a glTF file: loads it as a game does, and again whenever it changes.
#
#     godot --path PROJECT res://addons/omi_physics/stage/stage.tscn -- FILE.glb
#
# Drag with the left button to pull a body, with another one to orbit; the wheel zooms. The keys of
# the preview in Blender drive the vehicle. P pauses, Backspace starts anew, Escape ends.
extends Node3D

const Driver := preload("driver.gd")
const Orbit := preload("orbit.gd")
const Pull := preload("pull.gd")
const Reader := preload("../reader.gd")
const HELP := "Drag: pull a body   Right or middle button: orbit   Wheel: zoom   P: pause   Backspace: reset   Esc: end"
const LOOK_EVERY := 0.25  # s

var file := ""
var scene: Node
var driver := Driver.new()
var pull := Pull.new()
var orbit := Orbit.new()
var _label := Label.new()
var _sun := DirectionalLight3D.new()
var _changed := 0
var _since := 0.0


func _ready() -> void:
	Reader.register()
	for each: Node in [orbit, pull, driver]:
		add_child(each)
	pull.camera = orbit
	_add_surroundings()
	add_child(_label)
	_label.position = Vector2(12.0, 8.0)
	_label.add_theme_color_override("font_outline_color", Color.BLACK)
	_label.add_theme_constant_override("outline_size", 6)
	var arguments := OS.get_cmdline_user_args()
	if arguments.is_empty():
		_label.text = "There is no file to play: name one behind --"
		return
	file = arguments[0]
	read()


func _add_surroundings() -> void:
	var surroundings := WorldEnvironment.new()
	var environment := Environment.new()
	environment.background_mode = Environment.BG_SKY
	environment.sky = Sky.new()
	environment.sky.sky_material = ProceduralSkyMaterial.new()
	environment.sky.radiance_size = Sky.RADIANCE_SIZE_32  # Also quick without a graphics card.
	environment.ambient_light_source = Environment.AMBIENT_SOURCE_SKY
	environment.ambient_light_energy = 0.6
	environment.tonemap_mode = Environment.TONE_MAPPER_FILMIC
	environment.tonemap_white = 6.0
	environment.tonemap_exposure = 0.5  # Sides of what has no material, which is white, differ.
	surroundings.environment = environment
	add_child(surroundings)
	_sun.rotation_degrees = Vector3(-50.0, -30.0, 0.0)
	_sun.light_energy = 0.7
	_sun.shadow_enabled = true
	add_child(_sun)


## Loads the file anew; the old scene stays where that fails.
func read() -> void:
	_changed = FileAccess.get_modified_time(file)
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	var problem := document.append_from_file(file, state)
	var made: Node = document.generate_scene(state) if problem == OK else null
	if made == null:
		_label.text = "%s cannot be read: %s" % [file.get_file(), error_string(problem)]
		return
	var is_first := scene == null
	if scene != null:
		pull.release()
		scene.free()
	scene = made
	scene.process_mode = Node.PROCESS_MODE_PAUSABLE
	add_child(scene)
	_sun.visible = scene.find_children("*", "DirectionalLight3D", true, false).is_empty()
	orbit.make_current()
	driver.choose(scene)
	if is_first:
		orbit.frame(scene)
	_tell()


func _tell() -> void:
	var lines := [file.get_file() + ("   paused" if get_tree().paused else ""), HELP]
	if driver.vehicle != null:
		lines.append("%s: %s" % [driver.vehicle.name, driver.words()])
	_label.text = "\n".join(lines)


func _process(delta: float) -> void:
	_since += delta
	if file == "" or _since < LOOK_EVERY:
		return
	_since = 0.0
	var now := FileAccess.get_modified_time(file)
	if now != 0 and now != _changed:
		read()


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if not key.pressed or key.echo:
		return
	match key.keycode:
		KEY_ESCAPE:
			get_tree().quit()
		KEY_BACKSPACE:
			read()
		KEY_P:
			get_tree().paused = not get_tree().paused
			_tell()
