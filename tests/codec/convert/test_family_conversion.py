"""From one family to the other: exact where it can be, and an issue for each loss."""

from __future__ import annotations

import copy
import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.codec.convert import family_conversion, joint_conversion
from omi_physics_addon.codec.dialects import WriteOptions, gltf_file
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.codec.values.node_tree import (
    IDENTITY,
    Tree,
    compose,
    inverse,
    multiply,
    scale_of,
)
from omi_physics_addon.geometry import inertia
from omi_physics_addon.geometry.mesh_solids import Solids
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import Collider, CollisionFilter, Motion, Trigger
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import AxisIndex, JointIndex, NodeIndex, ShapeIndex
from omi_physics_addon.model.gravity import DirectionalGravity, GravityVolume, WorldGravity
from omi_physics_addon.model.joints import Joint, JointDrive, JointLimit, JointSettings
from omi_physics_addon.model.seats import Seat
from omi_physics_addon.model.shapes import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_addon.model.vehicles import VehicleBody, Wheel, WheelPart
from tests.support import meshes

ZERO = (0.0, 0.0, 0.0)
X, Y, Z = (AxisIndex(i) for i in range(3))


def tree(*nodes: dict[str, Any]) -> Tree:
    """A tree of nodes as glTF writes them."""
    return Tree.of(gltf_file({"nodes": list(nodes), "meshes": [{}] * 3}))


def to_khr(nodes: dict[int, NodePhysics], *tree_nodes: Any, **lists: Any):
    return _converted(family_conversion.to_khr, nodes, tree_nodes, lists)


def to_omi(nodes: dict[int, NodePhysics], *tree_nodes: Any, **lists: Any):
    return _converted(family_conversion.to_omi, nodes, tree_nodes, lists)


def _converted(way: Any, nodes: Any, tree_nodes: Any, lists: Any):
    document, issues = PhysicsDocument(nodes=nodes, **lists), Issues()
    before = copy.deepcopy(document)
    tree_nodes = tree_nodes or [{}] * (max(nodes, default=-1) + 1)
    result = way(document, tree(*tree_nodes), issues)
    assert document == before
    return result, issues.codes()


def body(**values: Any) -> NodePhysics:
    return NodePhysics(motion=Motion(**{"mass": 1.0, "center_of_mass": ZERO, **values}))


def collider(shape: int | None = 0, **values: Any) -> NodePhysics:
    index = None if shape is None else ShapeIndex(shape)
    return NodePhysics(collider=Collider(shape=index, **values))


class TestMotionToKhr:
    def test_dynamic_body_is_exact(self):
        nodes = {0: body(), 1: body(inertia_diagonal=(1.0, 2.0, 3.0), gravity_factor=0.5)}
        result, codes = to_khr(nodes)
        assert (result.nodes, codes) == (nodes, {})

    def test_static_body_has_no_motion(self):
        result, codes = to_khr({0: body(type="static")})
        assert (result.nodes, codes) == ({}, {"L01": 1})

    @pytest.mark.parametrize("above", ["dynamic", "kinematic"])
    def test_static_body_inside_a_moving_one(self, above):
        nodes = {0: body(type=above), 2: body(type="static")}
        result, codes = to_khr(nodes, {"children": [1]}, {"children": [2]}, {})
        assert result.nodes[2].motion == Motion(type="kinematic")
        assert codes == {"L02": 1}

    def test_static_body_inside_a_static_one(self):
        nodes = {0: body(type="static"), 1: body(type="static")}
        assert to_khr(nodes, {"children": [1]}, {})[1] == {"L01": 2}

    def test_moving_kinematic_body(self):
        nodes = {0: body(type="kinematic", linear_velocity=(1.0, 0.0, 0.0))}
        result, codes = to_khr(nodes)
        assert (result.nodes, codes) == (nodes, {"L03": 1})

    def test_mass_of_zero(self):
        result, codes = to_khr({0: body(mass=0.0)})
        assert result.nodes[0].motion.mass == 1.0
        assert codes == {"B05z": 1}

    def test_partly_zero_moments(self):
        motion = {"inertia_diagonal": (0.0, 1.0, 2.0), "inertia_orientation": (1.0, 0.0, 0.0, 0.0)}
        result, codes = to_khr({0: body(**motion)})
        assert (result.nodes, codes) == ({0: body()}, {"L24": 1})

    def test_originals_of_faults_stay_behind(self):
        motion = dataclasses.replace(body().motion, carried='{"mass":-1,"type":null,"extras":1}')
        result, _ = to_khr({0: NodePhysics(motion=motion)})
        assert result.nodes[0].motion.carried == '{"extras":1}'


def measured(nodes, *links, shapes, measure):
    document = PhysicsDocument(nodes=nodes, shapes=shapes)
    issues = Issues()
    result = family_conversion.to_omi(document, tree(*links), issues, measure_mesh=measure)
    return result.nodes[0].motion, issues.codes()


class TestMotionToOmi:
    def test_known_mass_and_center_are_exact(self):
        nodes = {0: body(), 1: body(type="kinematic")}
        result, codes = to_omi(nodes)
        assert (result.nodes, codes) == (nodes, {})

    def test_estimates(self):
        """A box and a ball of water, on scaled and turned nodes below a scaled body."""
        turned = {"rotation": [0, math.sqrt(0.5), 0, math.sqrt(0.5)]}
        nodes = {0: NodePhysics(motion=Motion()), 1: collider(0), 2: collider(1), 3: body()}
        result, codes = to_omi(
            nodes,
            {"children": [1, 2, 3], "translation": [5, 5, 5], "scale": [2, 2, 2]},
            {"translation": [1, 0, 0], **turned},
            {"translation": [-1, 0, 0]},
            {"children": [4]},
            {},
            shapes=[Shape(geometry=Box(size=(1.0, 2.0, 3.0))), Shape(geometry=Sphere(radius=0.5))],
        )
        box, ball = 6.0 * 8.0 * 1000.0, 4.0 / 3.0 * math.pi * 1000.0
        motion = result.nodes[0].motion
        assert motion.mass == pytest.approx(box + ball)
        assert motion.center_of_mass == pytest.approx(((box - ball) / (box + ball), 0.0, 0.0))
        assert codes == {"L04": 1, "L05": 1, "L20": 2}

    def test_center_of_even_shapes_is_exact(self):
        nodes = {0: dataclasses.replace(collider(), motion=Motion(mass=2.0))}
        result, codes = to_omi(nodes, shapes=[Shape(geometry=Box())])
        assert (result.nodes[0].motion, codes) == (body(mass=2.0).motion, {})

    @pytest.mark.parametrize("shape", [Trimesh(mesh=0), Plane()])
    def test_nothing_to_estimate(self, shape):
        nodes = {0: dataclasses.replace(collider(), motion=Motion())}
        result, codes = to_omi(nodes, shapes=[Shape(geometry=shape)])
        assert result.nodes[0].motion == body().motion
        assert {"L04", "L05"} <= codes.keys()

    def test_measured_mesh(self):
        asked: list[Any] = []

        def measure(mesh: int, hull: bool, linear: Any) -> Any:
            asked.append((mesh, hull, np.diag(linear).tolist()))
            return inertia.measure_box((1, 1, 1))

        nodes = {0: dataclasses.replace(collider(), motion=Motion()), 1: collider(1)}
        shapes = [Shape(geometry=Convex(mesh=2)), Shape(geometry=Trimesh(mesh=0))]
        links = ({"children": [1]}, {"translation": [1, 0, 0], "scale": [2, 3, 4]})
        motion, codes = measured(nodes, *links, shapes=shapes, measure=measure)
        assert motion.mass == pytest.approx(2000.0)
        assert motion.center_of_mass == pytest.approx((0.5, 0.0, 0.0))
        assert asked == [(2, True, [1, 1, 1]), (0, False, [2, 3, 4])]
        assert codes == {"L04": 1, "L05": 1, "L21": 1}

    @pytest.mark.parametrize(
        ("above", "below", "mass", "center"),
        [
            # The box of 1, 2, 3 m has its corner in the origin of its node.
            ({}, {"scale": [2, 3, 4]}, 144e3, (1.0, 3.0, 6.0)),
            ({}, {"scale": [-1, 1, 1], "translation": [5, 0, 0]}, 6e3, (4.5, 1.0, 1.5)),
            ({"scale": [2, 2, 2]}, {}, 48e3, (0.5, 1.0, 1.5)),
            (
                {"rotation": [0, 0, math.sqrt(0.5), math.sqrt(0.5)], "translation": [9, 9, 9]},
                {"rotation": [0, 0, math.sqrt(0.5), math.sqrt(0.5)]},
                6e3,
                (-1.0, 0.5, 1.5),
            ),
            # Scaled and turned, which shears.
            (
                {"scale": [2, 1, 1]},
                {"rotation": [0, 0, math.sin(0.5), math.cos(0.5)]},
                12e3,
                (
                    0.5 * math.cos(1.0) - math.sin(1.0),
                    0.5 * math.sin(1.0) + math.cos(1.0),
                    1.5,
                ),
            ),
        ],
        ids=["scaled", "mirrored", "scaled body", "turned", "sheared"],
    )
    def test_mesh_is_measured_where_it_is(self, above, below, mass, center):
        box = (meshes.POINTS.astype(float), meshes.FACES)
        nodes = {0: NodePhysics(motion=Motion()), 1: collider()}
        motion, _ = measured(
            nodes,
            {"children": [1], **above},
            below,
            shapes=[Shape(geometry=Convex(mesh=0))],
            measure=Solids({0: box}.get).measure,
        )
        assert motion.mass == pytest.approx(mass, rel=1e-6)
        assert motion.center_of_mass == pytest.approx(center, rel=1e-6, abs=1e-6)

    def test_mesh_that_is_scaled_to_nothing_is_not_measured(self):
        nodes = {0: NodePhysics(motion=Motion()), 1: collider()}
        links = ({"children": [1]}, {"scale": [1, 0, 1]})
        shapes = [Shape(geometry=Convex(mesh=0))]
        motion, _ = measured(nodes, *links, shapes=shapes, measure=lambda *_: 1 / 0)
        assert motion.mass == 1.0

    def test_infinite_mass_and_inertia_is_kinematic(self):
        result, codes = to_omi({0: body(mass=0.0, inertia_diagonal=ZERO)})
        motion = result.nodes[0].motion
        assert (motion.type, motion.mass, motion.inertia_diagonal) == ("kinematic", None, None)
        assert codes == {"L06": 1}

    def test_infinite_mass_alone_is_large(self):
        result, codes = to_omi({0: body(mass=0.0), 1: body(mass=3.0)})
        assert result.nodes[0].motion.mass == 3e6
        assert codes == {"L06": 1}

    def test_kinematic_mass_of_zero_says_nothing_new(self):
        assert to_omi({0: body(type="kinematic", mass=0.0)})[1] == {}

    @pytest.mark.parametrize(
        ("moments", "large"), [((0.0, 2.0, 1.0), (2e6, 2.0, 1.0)), (ZERO, (3e6, 3e6, 3e6))]
    )
    def test_locked_axes(self, moments, large):
        result, codes = to_omi({0: body(mass=3.0, inertia_diagonal=moments)})
        assert result.nodes[0].motion.inertia_diagonal == large
        assert codes == {"L07": 1}


class TestGroupsAndTriggers:
    def test_group_gives_its_material_away(self):
        nodes = {
            0: body(),
            1: collider(None, physics_material=1, collision_filter=2),
            2: collider(0, physics_material=0),
            3: collider(0),
            4: dataclasses.replace(collider(0), motion=Motion(mass=1.0)),
        }
        links = [{"children": [1]}, {"children": [2, 3, 4]}, {}, {}, {}]
        result, codes = to_khr(nodes, *links, shapes=[Shape(geometry=Box())])
        assert 1 not in result.nodes
        assert [result.nodes[i].collider.physics_material for i in (2, 3, 4)] == [0, 1, None]
        assert [result.nodes[i].collider.collision_filter for i in (2, 3, 4)] == [2, 2, None]
        assert codes == {"L09": 1}

    def test_implicit_compound_gets_its_list(self):
        shaped = NodePhysics(trigger=Trigger(shape=ShapeIndex(0)))
        nodes = {0: NodePhysics(trigger=Trigger(collision_filter=0)), 2: shaped, 3: shaped}
        links = [{"children": [1, 3]}, {"children": [2]}, {}, {}]
        result, codes = to_khr(
            nodes, *links, shapes=[Shape(geometry=Box())], collision_filters=[CollisionFilter()]
        )
        assert result.nodes[0].trigger == Trigger(nodes=(NodeIndex(2), NodeIndex(3)))
        assert result.nodes[2].trigger.collision_filter == 0
        assert codes == {"L10": 1}

    def test_compound_of_nothing_is_left_out(self):
        result, codes = to_khr({0: NodePhysics(trigger=Trigger())})
        assert (result.nodes, codes) == ({}, {"L10": 1})

    def test_explicit_compound_is_exact(self):
        shaped = NodePhysics(trigger=Trigger(shape=ShapeIndex(0)))
        nodes = {0: NodePhysics(trigger=Trigger(nodes=(NodeIndex(1),))), 1: shaped}
        for way in (to_khr, to_omi):
            result, codes = way(nodes, {"children": [1]}, {}, shapes=[Shape(geometry=Box())])
            assert (result.nodes, codes) == (nodes, {})

    def test_shape_without_a_mesh(self):
        result, codes = to_khr({0: collider()}, shapes=[Shape(geometry=Convex())])
        assert (result.nodes, codes) == ({}, {"L25": 1})


class TestOmiOnly:
    def test_gravity_and_vehicles_go_and_seats_stay(self):
        seat = Seat(back=ZERO, foot=ZERO, knee=ZERO)
        nodes = {
            0: NodePhysics(
                gravity=GravityVolume(field=DirectionalGravity()),
                vehicle_body=VehicleBody(),
                wheel=WheelPart(wheel=0),
                seat=seat,
            )
        }
        world = WorldGravity(gravity=5.0)
        result, codes = to_khr(nodes, wheels=[Wheel()], world_gravity=world)
        assert result.nodes == {0: NodePhysics(seat=seat)}
        assert (result.wheels, result.world_gravity) == ([], world)
        assert codes == {"L15": 1}


class TestShapesToOmi:
    @pytest.mark.parametrize(
        ("geometry", "scale", "scaled"),
        [
            (Box(size=(1.0, 2.0, 3.0)), (2, -3, 4), Box(size=(2.0, 6.0, 12.0))),
            (Sphere(radius=1.0), (2, 2, 2), Sphere(radius=2.0)),
            (
                Capsule(height=1.0, radius_bottom=2.0, radius_top=3.0),
                (2, 2, -2),
                Capsule(height=2.0, radius_bottom=4.0, radius_top=6.0),
            ),
            (
                Cylinder(height=1.0, radius_bottom=2.0, radius_top=3.0),
                (2, 5, 2),
                Cylinder(height=5.0, radius_bottom=4.0, radius_top=6.0),
            ),
        ],
    )
    @pytest.mark.parametrize("part", ["collider", "trigger"])
    def test_scale_goes_into_the_sizes(self, geometry, scale, scaled, part):
        kind = Collider if part == "collider" else Trigger
        nodes = {0: NodePhysics(**{part: kind(shape=ShapeIndex(0))})}
        result, codes = to_omi(nodes, {"scale": list(scale)}, shapes=[Shape(geometry=geometry)])
        assert result.shapes == [Shape(geometry=scaled)]
        assert result.nodes == {1: NodePhysics(**{part: kind(shape=ShapeIndex(0))})}
        new = result.new_nodes[0]
        world = multiply(compose(None, None, scale), compose(new.translation, None, new.scale))
        assert scale_of(world) == pytest.approx((1.0, 1.0, 1.0))
        assert codes == {"L20": 1}

    @pytest.mark.parametrize(
        ("geometry", "scale"),
        [
            (Sphere(), (1, 2, 1)),
            (Capsule(), (1, 2, 1)),
            (Cylinder(), (1, 1, 2)),
            (Convex(mesh=0), (2, 2, 2)),
        ],
    )
    def test_scale_that_makes_another_shape(self, geometry, scale):
        nodes = {0: collider()}
        result, codes = to_omi(nodes, {"scale": list(scale)}, shapes=[Shape(geometry=geometry)])
        assert (result.nodes, result.new_nodes, codes) == (nodes, [], {"L21": 1})

    def test_sheared_shape_is_left(self):
        links = [{"scale": [1, 2, 1], "children": [1]}, {"rotation": [0, 0, 0.38268343, 0.9238795]}]
        nodes = {1: collider()}
        result, codes = to_omi(nodes, *links, shapes=[Shape(geometry=Box())])
        assert (result.nodes, codes) == (nodes, {"L21": 1})

    def test_scaled_to_nothing_is_off(self):
        result, codes = to_omi(
            {0: collider()}, {"scale": [0, 0, 0]}, shapes=[Shape(geometry=Box())]
        )
        assert (result.nodes, codes) == ({}, {"L21": 1})

    def test_mirrored_shape_is_left(self):
        nodes = {0: collider()}
        result, codes = to_omi(nodes, {"scale": [-1, 1, 1]}, shapes=[Shape(geometry=Box())])
        assert (result.nodes, codes) == (nodes, {})

    @pytest.mark.parametrize(
        ("plane", "size"),
        [
            (Plane(size_x=2.0, size_z=3.0), (4.0, 0.1, 12.0)),
            (Plane(size_x=2.0), (4.0, 10.0, 1000.0)),
            (Plane(), (1000.0, 10.0, 1000.0)),
        ],
    )
    def test_planes(self, plane, size):
        result, codes = to_omi(
            {0: collider()}, {"scale": [2, 5, 4]}, shapes=[Shape(geometry=plane, name="p")]
        )
        assert result.shapes == [Shape(geometry=Box(size=size), name="p")]
        # The top of the box is the plane.
        assert result.new_nodes[0].translation == pytest.approx((0.0, -size[1] / 2.0 / 5.0, 0.0))
        assert result.nodes == {1: collider()}
        assert codes == {"L08": 1, "L20": 1}

    def test_planes_of_a_size_set(self):
        document = PhysicsDocument(nodes={0: collider()}, shapes=[Shape(geometry=Plane())])
        result = family_conversion.to_omi(document, tree({}), Issues(), endless=50.0)
        assert result.shapes[0].geometry == Box(size=(50.0, 10.0, 50.0))

    def test_planes_that_nothing_uses_go(self):
        shapes = [Shape(geometry=Plane()), Shape(geometry=Box())]
        result, _ = to_omi({0: collider(1)}, shapes=shapes)
        assert (result.shapes, result.nodes) == (shapes[1:], {0: collider(0)})

    def test_compound_lists_the_new_node(self):
        nodes = {
            0: NodePhysics(trigger=Trigger(nodes=(NodeIndex(1),))),
            1: NodePhysics(trigger=Trigger(shape=ShapeIndex(0))),
        }
        result, _ = to_omi(
            nodes, {"children": [1]}, {"scale": [2, 2, 2]}, shapes=[Shape(geometry=Box())]
        )
        assert result.nodes[0].trigger.nodes == (2,)
        assert result.nodes.keys() == {0, 2}

    @pytest.mark.parametrize(
        ("geometry", "left"),
        [
            (Convex(mesh=1, node=NodeIndex(0)), Convex(mesh=1)),
            (Trimesh(mesh=1, node=NodeIndex(0), carried='{"skin":1}'), Trimesh(mesh=1)),
        ],
    )
    def test_geometry_of_a_node(self, geometry, left):
        result, codes = to_omi({0: collider()}, shapes=[Shape(geometry=geometry)])
        assert result.shapes == [Shape(geometry=left)]
        assert codes.keys() <= {"L17", "L25"}
        assert codes["L17"] == 1

    def test_geometry_of_a_node_without_a_mesh(self):
        result, codes = to_omi({0: collider()}, shapes=[Shape(geometry=Convex(node=NodeIndex(0)))])
        assert (result.nodes, codes) == ({}, {"L17": 1})

    def test_members_of_geometry_stay_behind(self):
        part = Collider(shape=ShapeIndex(0), carried='{"geometry":{"extras":1},"extras":2}')
        result, codes = to_omi({0: NodePhysics(collider=part)}, shapes=[Shape(geometry=Box())])
        assert result.nodes[0].collider.carried == '{"extras":2}'
        assert codes == {"L25": 1}


def fixed(*axes: AxisIndex, kind: str = "linear_axes") -> JointLimit:
    return JointLimit(**{kind: axes}, min=0.0, max=0.0)


def turn(*axes: AxisIndex) -> JointLimit:
    return JointLimit(angular_axes=axes, min=0.0, max=1.0)


PIN = JointSettings(limits=(fixed(X, Y, Z),))


class TestJoints:
    @staticmethod
    def joint(node: int, settings: int = 0) -> NodePhysics:
        return NodePhysics(joint=Joint(joint=JointIndex(settings), connected_node=NodeIndex(node)))

    def test_joint_of_omi_is_exact(self):
        nodes = {0: body(), 1: self.joint(3), 2: body()}
        links = [{"children": [1]}, {}, {"children": [3]}, {}]
        for way in (to_khr, to_omi):
            result, codes = way(nodes, *links, joint_settings=[PIN])
            assert (result.nodes, codes) == (nodes, {})

    def test_joint_on_the_body_gets_a_node(self):
        nodes = {0: dataclasses.replace(body(), joint=self.joint(2).joint), 1: body()}
        result, codes = to_omi(nodes, {}, {"children": [2]}, {}, joint_settings=[PIN])
        assert result.nodes == {0: body(), 1: body(), 3: self.joint(2)}
        assert [(new.parent, new.place) for new in result.new_nodes] == [(0, 0)]
        assert codes == {"L12": 1}

    def test_joint_that_ends_on_the_body_gets_a_node(self):
        nodes = {0: body(), 1: self.joint(2), 2: body()}
        result, codes = to_omi(nodes, {"children": [1]}, {}, {}, joint_settings=[PIN])
        assert result.nodes[1] == self.joint(3)
        assert [(new.parent, new.place) for new in result.new_nodes] == [(2, 2)]
        assert codes == {"L12": 1}

    @pytest.mark.parametrize(
        ("links", "parts", "static", "new"),
        [
            ([{"children": [1]}, {}, {}], {}, 2, [(2, 2)]),
            ([{"children": [1]}, {}, {}, {"children": [2]}], {}, 3, []),
            (
                [{"children": [1]}, {}, {}, {"children": [4]}, {"children": [2]}],
                {3: collider(), 4: collider()},
                3,
                [],
            ),
        ],
        ids=["alone", "below a node", "below colliders"],
    )
    def test_world_anchor_is_static(self, links, parts, static, new):
        nodes = {0: body(), 1: self.joint(2), **parts}
        result, codes = to_omi(nodes, *links, joint_settings=[PIN], shapes=[Shape(geometry=Box())])
        assert result.nodes[static].motion == Motion(type="static")
        assert [(n.parent, n.place) for n in result.new_nodes] == new
        assert codes == {"L12": 1 + len(new)}

    def test_static_side_first_is_swapped(self):
        """World on the joint's side, as all joints of KHR's own tests have it."""
        settings = JointSettings(
            limits=(
                fixed(X, Y, Z),
                fixed(X, Y, kind="angular_axes"),
                JointLimit(angular_axes=(Z,), min=-1.0, max=2.0),
            ),
            drives=(JointDrive(type="angular", axis=Z, velocity_target=3.0, damping=1.0),),
        )
        nodes = {0: self.joint(2), 1: body()}
        result, codes = to_omi(
            nodes, {}, {"children": [2]}, {}, {"children": [0]}, joint_settings=[settings]
        )
        assert result.nodes == {
            1: body(), 2: self.joint(0), 3: NodePhysics(motion=Motion(type="static"))
        }  # fmt: skip
        assert result.joint_settings == [
            JointSettings(
                limits=(*settings.limits[:2], JointLimit(angular_axes=(Z,), min=-2.0, max=1.0)),
                drives=(JointDrive(type="angular", axis=Z, velocity_target=-3.0, damping=1.0),),
            )
        ]
        assert codes == {"L12": 1, "L13": 1}

    def test_joint_that_cannot_be_swapped_stays(self):
        slide = JointSettings(limits=(fixed(Y, Z), JointLimit(linear_axes=(X,), min=0.0, max=1.0)))
        nodes = {0: self.joint(2), 1: body()}
        result, codes = to_omi(nodes, {}, {"children": [2]}, {}, joint_settings=[slide])
        assert result.nodes[0] == self.joint(2)
        assert codes == {"L14": 1}

    def test_joint_of_nothing_that_moves_stays(self):
        nodes = {0: self.joint(1)}
        result, codes = to_omi(nodes, {}, {}, joint_settings=[PIN])
        assert (result.nodes, codes) == (nodes, {"L14": 1})

    @pytest.mark.parametrize(
        ("linear", "angular", "exact"),
        [
            ("", "xyz", True),  # Nothing slides.
            ("x", "", True),  # Nothing turns.
            ("x", "x", True),  # A piston.
            ("x", "y", False),
            ("x", "xy", False),
            ("xy", "x", False),
            ("xyz", "xyz", True),  # Only what has no limit at all.
        ],
    )
    def test_when_a_joint_is_the_same_from_both_sides(self, linear, angular, exact):
        limits = [
            fixed(AxisIndex("xyz".index(axis)), kind=kind)
            for kind, free in (("linear_axes", linear), ("angular_axes", angular))
            for axis in "xyz"
            if axis not in free
        ]
        assert joint_conversion.is_symmetric(JointSettings(limits=tuple(limits))) is exact

    @pytest.mark.parametrize(
        ("limits", "drives", "exact"),
        [
            ((), (), True),
            ((fixed(X, Y, kind="angular_axes"), turn(Z)), (), True),  # A hinge.
            ((fixed(X, kind="angular_axes"), turn(Y)), (), False),
            ((turn(X, Y),), (), True),  # A cone.
            ((turn(X, Y, Z),), (), True),
            ((turn(X, Y),), (JointDrive(type="angular", axis=X),), False),
            ((), (JointDrive(type="angular", axis=X),), False),
            ((), (JointDrive(type="linear", axis=X),), True),
        ],
    )
    def test_when_turns_are_the_same_from_both_sides(self, limits, drives, exact):
        settings = JointSettings(limits=limits, drives=drives)
        assert joint_conversion.turns_symmetrically(settings) is exact

    def test_distance_in_space_is_the_same_from_both_sides(self):
        rope = JointLimit(linear_axes=(X, Y, Z), max=2.0)
        settings = JointSettings(limits=(rope,))
        assert joint_conversion.is_symmetric(settings)
        assert joint_conversion.mirrored(settings) == settings
        drive = JointDrive(type="linear", axis=X, velocity_target=1.0)
        assert not joint_conversion.is_symmetric(JointSettings(limits=(rope,), drives=(drive,)))

    def test_soft_limits_are_not_fixed(self):
        soft = dataclasses.replace(fixed(X, Y, Z), stiffness=1.0)
        one = JointSettings(
            limits=tuple(dataclasses.replace(soft, linear_axes=(a,)) for a in "xyz")
        )
        assert not joint_conversion.is_symmetric(one)

    def test_mirroring_twice_changes_nothing(self):
        settings = JointSettings(
            limits=(JointLimit(linear_axes=(X,), min=1.0), JointLimit(angular_axes=(Y,), max=2.0)),
            drives=(JointDrive(axis=X, position_target=1.0),),
        )
        mirrored = joint_conversion.mirrored(settings)
        assert mirrored.limits[0] == JointLimit(linear_axes=(X,), max=-1.0)
        assert mirrored.limits[1] == JointLimit(angular_axes=(Y,), min=-2.0)
        assert joint_conversion.mirrored(mirrored) == settings


class TestSettings:
    def test_half_pairs(self):
        drives = (
            JointDrive(damping=2.0),
            JointDrive(stiffness=3.0),
            JointDrive(position_target=1.0),
        )
        result, codes = to_khr({}, joint_settings=[JointSettings(drives=drives)])
        assert result.joint_settings[0].drives == (
            JointDrive(damping=2.0, velocity_target=0.0),
            JointDrive(),
            JointDrive(position_target=1.0),
        )
        assert codes == {"L23": 1}

    @pytest.mark.parametrize("way", [to_khr, to_omi])
    @pytest.mark.parametrize(
        ("limit", "count"),
        [
            (fixed(X, Y), 0),
            (JointLimit(linear_axes=(X, Y), min=-1.0, max=1.0), 1),
            (JointLimit(linear_axes=(X,), min=-1.0, max=1.0), 0),
        ],
    )
    def test_ranges_of_several_axes(self, way, limit, count):
        result, codes = way({}, joint_settings=[JointSettings(limits=(limit,))])
        assert result.joint_settings[0].limits == (limit,)
        assert codes["L11"] == count

    @pytest.mark.parametrize("way", [to_khr, to_omi])
    def test_filters_of_several_systems(self, way):
        filters = [
            CollisionFilter(collision_systems=("a",)), CollisionFilter(collision_systems=("a", "b"))
        ]  # fmt: skip
        result, codes = way({}, collision_filters=filters)
        assert (result.collision_filters, codes) == (filters, {"L22": 1})


class TestMembersThatTravel:
    omi, khr = "OMI_physics_body", "KHR_physics_rigid_bodies"

    def test_they_move_to_the_other_family(self):
        node = NodePhysics(carried=((self.omi, '{"extras":1}'), ("OMI_seat", '{"back":0}')))
        result, _ = to_khr({0: node}, carried={self.omi: '{"extras":2}'})
        assert dict(result.nodes[0].carried) == {self.khr: '{"extras":1}', "OMI_seat": '{"back":0}'}
        assert result.carried == {self.khr: '{"extras":2}'}
        back, _ = to_omi(result.nodes, carried=result.carried)
        assert dict(back.nodes[0].carried) == dict(node.carried)
        assert back.carried == {self.omi: '{"extras":2}'}

    def test_object_of_nothing_does_not(self):
        assert to_omi({0: NodePhysics(carried=((self.khr, "{}"),))})[0].nodes == {}


class TestTree:
    def test_world(self):
        nodes = tree({"children": [1], "translation": [1, 0, 0]}, {"scale": [2, 2, 2]})
        assert nodes.world(1)[12:15] == (1.0, 0.0, 0.0)
        assert scale_of(nodes.world(1)) == (2.0, 2.0, 2.0)

    def test_cycle_and_wrong_children_do_no_harm(self):
        nodes = tree({"children": [1, 7, -1]}, {"children": [0]})
        assert list(nodes.upward(0)) == [0, 1]
        assert nodes.world(0) == IDENTITY

    def test_inverse(self):
        matrix = compose((1.0, 2.0, 3.0), (0.1, 0.2, 0.3, 0.9), (2.0, -3.0, 4.0))
        back = inverse(matrix)
        assert back is not None
        assert multiply(matrix, back) == pytest.approx(IDENTITY)
        assert inverse(compose(None, None, (0.0, 1.0, 1.0))) is None

    def test_mirror(self):
        assert scale_of(compose(None, None, (1.0, -2.0, 3.0))) == (-1.0, 2.0, 3.0)

    def test_deep_tree(self):
        count = 5000
        nodes = tree(*({"children": [i + 1], "translation": [1, 0, 0]} for i in range(count)), {})
        assert nodes.world(count)[12] == count


def khr(**members: Any) -> dict[str, Any]:
    return {"extensions": {"KHR_physics_rigid_bodies": members}}


ANCHORED = {
    "nodes": [khr(joint={"joint": 0, "connectedNode": 1}), khr(motion={"mass": 2})],
    **khr(physicsJoints=[{"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}]),
}


class TestBoth:
    """A file of both families says the same in both."""

    def test_joints_stand_on_the_same_nodes(self):
        result = rewriting.change(ANCHORED, Issues(), WriteOptions(), ("OMI", "KHR")).json
        found = [
            (extensions["OMI_physics_joint"], extensions["KHR_physics_rigid_bodies"]["joint"])
            for node in result["nodes"]
            for extensions in (node.get("extensions", {}),)
            if "OMI_physics_joint" in extensions
            or "joint" in extensions.get("KHR_physics_rigid_bodies", {})
        ]
        assert len(found) == 1
        assert found[0][0] == found[0][1]

    def test_files_of_both_stay_as_they_are(self):
        once = rewriting.change(ANCHORED, Issues(), WriteOptions(), ("OMI", "KHR")).json
        issues = Issues()
        twice = rewriting.change(once, issues, WriteOptions())
        assert twice.families == ("OMI", "KHR")
        assert twice.json == once
        assert "G08" not in issues.codes()

    def test_springs_that_brake_are_the_same_in_both(self):
        drive = {"type": "angular", "mode": "force", "axis": 0, "positionTarget": 0}
        source = copy.deepcopy(ANCHORED)
        (settings,) = source["extensions"]["KHR_physics_rigid_bodies"]["physicsJoints"]
        settings["drives"] = [{**drive, "stiffness": 9, "damping": 2}]
        omi = rewriting.change(source, Issues(), WriteOptions(), ("OMI",)).json
        once = rewriting.change(omi, Issues(), WriteOptions(), ("OMI", "KHR")).json
        (khr_says,) = once["extensions"]["KHR_physics_rigid_bodies"]["physicsJoints"]
        assert khr_says["drives"][0]["velocityTarget"] == 0
        issues = Issues()
        twice = rewriting.change(once, issues, WriteOptions()).json
        assert twice["extensions"]["KHR_physics_rigid_bodies"]["physicsJoints"] == [khr_says]
        assert len(twice["extensions"]["OMI_physics_joint"]["physicsJoints"]) == 1
        assert "G08" not in issues.codes()
