"""The live preview: a scene's physics on Blender's rigid-body world, in a scene of its own.

Nothing here touches the artist's scene: a temporary one has actors, which play the bodies, and
copies of what is seen, and goes when the preview stops.

Imports point down this list only:

    bake
    drawing, recorder
    player
    session, limitations
    copies, interaction
    bodies
    input
    stage
"""
