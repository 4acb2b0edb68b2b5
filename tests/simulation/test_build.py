"""What a document and a tree of nodes make a preview move."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.geometry import inertia
from omi_physics_addon.model.bodies import Collider, Motion, Trigger
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import JointIndex, MeshIndex, NodeIndex, ShapeIndex
from omi_physics_addon.model.gravity import GravityVolume, PointGravity
from omi_physics_addon.model.joints import Joint, JointLimit, JointSettings
from omi_physics_addon.model.shapes import Box, Capsule, Convex, Geometry, Shape, Sphere
from omi_physics_addon.simulation import body_solids
from omi_physics_addon.simulation.build import DENSITY, build
from omi_physics_addon.simulation.state import WORLD
from omi_physics_addon.simulation.world import Mesh, Node, World

QUARTER = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # About Z.


def at(place: Any = (0.0, 0.0, 0.0), turn: Any = None, scale: Any = 1.0, parent: int = -1) -> Node:
    matrix = np.eye(4)
    matrix[:3, :3] = (np.eye(3) if turn is None else turn) * np.broadcast_to(scale, 3)
    matrix[:3, 3] = place
    return Node(parent, matrix)


def no_mesh(_index: int) -> None:
    return None


def collider(index: int) -> Collider:
    return Collider(shape=ShapeIndex(index))


def made(
    nodes: list[Node], physics: dict[int, NodePhysics], *geometries: Geometry, **options: Any
) -> World:
    document = PhysicsDocument(
        nodes=physics, shapes=[Shape(geometry=geometry) for geometry in geometries]
    )
    return build(document, nodes, no_mesh, **options)


def test_colliders_below_a_motion_are_solids_of_one_body_in_its_own_space() -> None:
    nodes = [at((1, 2, 3), QUARTER), at((1, 4, 3), QUARTER, parent=0), at((0, 0, 0), parent=1)]
    body = NodePhysics(motion=Motion(mass=2.0), collider=collider(0))
    world = made(
        nodes,
        {0: body, 1: NodePhysics(collider=collider(0)), 2: NodePhysics(motion=Motion())},
        Box(),
    )
    first, second = world.bodies
    assert [solid.node for solid in first.solids] == [0, 1]
    assert np.allclose(first.solids[1].place, (2.0, 0.0, 0.0))
    assert np.allclose(first.solids[1].rotation, np.eye(3))
    assert not second.solids
    assert world.body_of == {0: 0, 1: 0, 2: 1}


def test_colliders_without_a_motion_stand_still_each_for_itself() -> None:
    nodes = [at(), at((0, 1, 0), parent=0)]
    world = made(
        nodes, {0: NodePhysics(collider=collider(0)), 1: NodePhysics(collider=collider(0))}, Box()
    )
    assert [body.type for body in world.bodies] == ["static", "static"]
    assert world.body_of == {0: 0, 1: 1}
    assert not world.masses().is_dynamic.any()
    assert not world.masses().inverse_mass.any()


def test_scale_goes_into_the_sizes_and_not_into_the_spaces() -> None:
    nodes = [at((0, 0, 0), QUARTER, (2, 3, 4)), at((0, 6, 0), QUARTER, (2, 2, 2), parent=0)]
    world = made(
        nodes,
        {
            0: NodePhysics(motion=Motion(mass=1.0), collider=collider(0)),
            1: NodePhysics(collider=collider(1)),
        },
        Box(size=(1.0, 1.0, 1.0)),
        Capsule(height=1.0, radius_bottom=0.5, radius_top=0.25),
    )
    box, capsule = world.bodies[0].solids
    assert box.form == Box(size=(2.0, 3.0, 4.0))
    assert capsule.form == Capsule(height=2.0, radius_bottom=1.0, radius_top=0.5)
    assert np.allclose(world.bodies[0].rotation, QUARTER)
    assert np.allclose(capsule.place, (6.0, 0.0, 0.0))


def test_a_mirrored_mesh_keeps_its_outside() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    triangles = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    document = PhysicsDocument(
        nodes={0: NodePhysics(collider=collider(0))},
        shapes=[Shape(geometry=Convex(mesh=MeshIndex(5)))],
    )
    world = build(
        document, [at(scale=(-1, 1, 1))], lambda i: (corners, triangles) if i == 5 else None
    )
    solid = world.bodies[0].solids[0]
    assert isinstance(solid.form, Mesh)
    a, b, c = (solid.form.corners[solid.form.triangles[:, i]] for i in range(3))
    assert np.einsum("ni,ni->", a, np.cross(b, c)) > 0.0
    # The body's own axes are a rotation, whatever the scale does.
    assert np.linalg.det(world.bodies[0].rotation) == pytest.approx(1.0)
    placed = solid.form.corners @ (world.bodies[0].rotation @ solid.rotation).T
    assert {tuple(p) for p in placed.round(9) + 0.0} == {
        tuple(p) for p in corners * (-1, 1, 1) + 0.0
    }


def test_mass_and_center_left_to_the_engine_follow_its_family() -> None:
    nodes = [at(), at((0, 1, 0), parent=0)]
    physics = {0: NodePhysics(motion=Motion()), 1: NodePhysics(collider=collider(0))}
    omi = made(nodes, physics, Box()).bodies[0]
    khr = made(nodes, physics, Box(), engine="KHR").bodies[0]
    assert (omi.mass, *omi.center) == (1.0, 0.0, 0.0, 0.0)
    assert (khr.mass, *khr.center) == (DENSITY, 0.0, 1.0, 0.0)
    assert np.allclose(khr.moments, DENSITY / 6.0)
    # About an axis that misses the centre of the box by 1 m.
    tensor = omi.principal_axes @ np.diag(omi.moments) @ omi.principal_axes.T
    assert np.allclose(np.diag(tensor), (7.0 / 6.0, 1.0 / 6.0, 7.0 / 6.0))


def test_given_inertia_is_taken_with_its_axes() -> None:
    half = math.sqrt(0.5)
    motion = Motion(
        mass=3.0, inertia_diagonal=(1.0, 2.0, 4.0), inertia_orientation=(0, 0, half, half)
    )
    masses = made([at()], {0: NodePhysics(motion=motion)}).masses()
    assert np.allclose(masses.inertia_local[0], np.diag((2.0, 1.0, 4.0)))
    assert np.allclose(masses.inverse_inertia_local[0], np.diag((0.5, 1.0, 0.25)))


def test_a_body_without_shapes_turns_as_a_ball_of_a_meter() -> None:
    masses = made([at()], {0: NodePhysics(motion=Motion(mass=3.0))}).masses()
    ball = inertia.with_mass(inertia.measure_primitive(Sphere(radius=0.5)), 3.0)
    assert masses.inertia_local[0] == pytest.approx(ball.tensor)


def test_infinite_mass_and_moments_have_inverses_of_zero() -> None:
    motion = Motion(mass=math.inf, inertia_diagonal=(1.0, math.inf, 1.0))
    masses = made([at()], {0: NodePhysics(motion=motion)}).masses()
    assert masses.is_dynamic[0]
    assert masses.inverse_mass[0] == 0.0
    assert np.array_equal(masses.inverse_inertia_local[0], np.diag((1.0, 0.0, 1.0)))
    assert np.isfinite(masses.inertia_local).all()


@pytest.mark.parametrize("engine", ["OMI", "KHR"])
def test_velocities_are_in_the_axes_of_the_body(engine: str) -> None:
    motion = Motion(mass=1.0, linear_velocity=(1, 0, 0), angular_velocity=(2, 0, 0))
    state = made([at(turn=QUARTER)], {0: NodePhysics(motion=motion)}, engine=engine).state()
    assert np.allclose(state.velocity[0], (0.0, 1.0, 0.0))
    assert np.allclose(state.spin[0], (0.0, 2.0, 0.0))


def test_the_state_is_at_the_center_of_mass() -> None:
    motion = Motion(mass=1.0, center_of_mass=(1.0, 0.0, 0.0))
    world = made([at((5, 0, 0), QUARTER)], {0: NodePhysics(motion=motion)})
    state, masses = world.state(), world.masses()
    assert np.allclose(state.position[0], (5.0, 1.0, 0.0))
    assert np.allclose(state.origin(masses)[0], (5.0, 0.0, 0.0))
    corner = state.points(np.array([0, WORLD]), np.array([[1.0, 1.0, 0.0]] * 2), masses)
    assert np.allclose(corner, [(4.0, 1.0, 0.0), (1.0, 1.0, 0.0)])


@pytest.mark.parametrize("scale", [2.0, (1.0, 2.0, 3.0), (-1.0, 2.0, 2.0)])
def test_a_center_of_mass_is_in_the_space_of_its_node(scale: Any) -> None:
    node, center = at((5, 0, 0), QUARTER, scale), (1.0, 2.0, 3.0)
    motion = Motion(mass=1.0, center_of_mass=center)
    (body,) = made([node], {0: NodePhysics(motion=motion)}).bodies
    assert np.allclose(body.rotation @ body.center, node.matrix[:3, :3] @ center)


def test_joints_have_frames_on_their_bodies_or_in_the_world() -> None:
    nodes = [at((1, 0, 0), QUARTER), at((1, 1, 0), parent=0), at((0, 3, 0), QUARTER)]
    document = PhysicsDocument(
        nodes={
            0: NodePhysics(motion=Motion(mass=1.0)),
            1: NodePhysics(joint=Joint(joint=JointIndex(0), connected_node=NodeIndex(2))),
        },
        joint_settings=[JointSettings(limits=(JointLimit(min=0.0, max=0.0),))],
    )
    (joint,) = build(document, nodes, no_mesh).joints
    assert (joint.first.body, joint.second.body) == (0, WORLD)
    assert np.allclose(joint.first.place, (1.0, 0.0, 0.0))
    assert np.allclose(joint.first.axes, QUARTER.T)
    assert np.allclose(joint.second.place, (0.0, 3.0, 0.0))
    assert np.allclose(joint.second.axes, QUARTER)


def test_joints_that_hold_nothing_are_left_out() -> None:
    nodes = [at(), at(parent=0), at()]
    joints = [
        Joint(joint=JointIndex(0)),
        Joint(connected_node=NodeIndex(2)),
        Joint(joint=JointIndex(0), connected_node=NodeIndex(0)),
    ]
    for joint in joints:
        document = PhysicsDocument(
            nodes={0: NodePhysics(motion=Motion()), 1: NodePhysics(joint=joint)},
            joint_settings=[JointSettings()],
        )
        assert not build(document, nodes, no_mesh).joints


def test_triggers_gather_the_solids_of_all_that_belong_to_them() -> None:
    nodes = [at((0, 1, 0), scale=2.0), at((0, 2, 0), parent=0), at((3, 2, 0), parent=0)]
    gravity = GravityVolume(field=PointGravity())
    shaped = NodePhysics(trigger=Trigger(shape=ShapeIndex(0)))
    listed = Trigger(nodes=(NodeIndex(2),))
    for trigger, expected in ((Trigger(), [1, 2]), (listed, [2])):
        world = made(
            nodes,
            {0: NodePhysics(trigger=trigger, gravity=gravity), 1: shaped, 2: shaped},
            Sphere(),
        )
        volume = world.volumes[0]
        assert [solid.node for solid in volume.solids] == expected
        assert np.allclose(volume.solids[-1].place, (3.0, 1.0, 0.0))
        assert volume.gravity == gravity
        assert np.allclose(volume.scale, 2.0)
        assert [v.gravity for v in world.volumes[1:]] == [None, None]


def test_cycles_and_parents_out_of_range_do_no_harm() -> None:
    nodes = [at(parent=1), at(parent=0), at(parent=7)]
    world = made(nodes, {i: NodePhysics(collider=collider(0)) for i in range(3)}, Box())
    assert len(world.bodies) == 3


def test_shapes_without_volume_or_mesh_are_no_solids() -> None:
    nodes = [at(scale=(1, 0, 1)), at()]
    physics = {0: NodePhysics(collider=collider(0)), 1: NodePhysics(collider=collider(1))}
    world = made(nodes, physics, Box(), Convex(mesh=MeshIndex(0)))
    assert [len(body.solids) for body in world.bodies] == [0, 0]


def test_a_shape_of_no_finite_size_is_none():
    """Its rotation could not be found, either."""
    for size in (np.inf, np.nan, 1e308):
        linear = np.array([[1.0, size, 0.0], [0.0, size, 0.0], [0.0, 0.0, 1.0]])
        assert body_solids.formed(Box(), linear, lambda _: None) is None
