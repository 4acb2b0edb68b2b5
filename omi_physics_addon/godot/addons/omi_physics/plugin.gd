# Has the editor's import and export of glTF read and write physics.
@tool
extends EditorPlugin

const Reader := preload("reader.gd")


func _enter_tree() -> void:
	Reader.register()


func _exit_tree() -> void:
	Reader.unregister()
