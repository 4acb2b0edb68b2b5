"""The live preview: a scene's physics on Blender's rigid-body world, in a scene of its own.

Nothing here changes the artist's scene: a temporary one has actors, which play the bodies, and goes
when the preview stops. What they do is seen on the evaluated copies of the artist's objects, or,
where these do not suffice, on copies in the temporary scene.

Imports point down this list only:

    bake
    drawing, recorder
    player
    session, limitations
    posing
    copies, interaction
    bodies
    input
    stage
"""
