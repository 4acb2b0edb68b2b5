"""Joints as Blender's own constraints, as far as these carry them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from typing import Any

import numpy as np
from mathutils import Matrix

from ....axes import TO_GLTF, points_to_blender
from ....geometry.affine import placement
from ....model.joints import JointLimit
from ....simulation.bullet import islands
from ....simulation.joints import native_limits
from ....simulation.joints.native_limits import Native
from ....simulation.rigid.constraints import limit_values, turned_round
from ....simulation.rigid.values import CONSTRAINT
from ....simulation.state import WORLD, Array, State
from ....simulation.world import Frame, JointFrames, World
from ..stage import stage


class Constraints:
    """The constraints of all joints of a world, and of pairs of actors.

    Attributes:
        left: for every joint the limits that forces must make.
        braked: for every joint the limits before whose ends forces must brake.
        shifted, gaining: joints that are not exact; see `Native`.
        sliding: joints that slide along one axis, and at most turn about it, which Bullet has
            constraints of its own for.
    """

    def __init__(self, world: World, state: State) -> None:
        self._world = world
        self._plans: list[tuple[JointFrames, Native, Matrix, int]] = []
        self._objects: list[Any] = []
        self._freed: dict[int, JointFrames] = {}
        self.left: list[tuple[int, JointLimit]] = []
        self.braked: list[tuple[int, JointLimit]] = []
        self.shifted: list[int] = []
        self.gaining: list[int] = []
        self.sliding: set[int] = set()
        for i, joint in enumerate(world.joints):
            if not any(_can_move(world, frame) for frame in joint.ends):
                continue
            plan, matrix, shift = _planned(world, joint, state)
            self.left += [(i, limit) for limit in plan.left]
            self.braked += [(i, limit) for limit in plan.braked]
            if plan.shifted:
                self.shifted.append(i)
            if plan.gains:
                self.gaining.append(i)
            if plan.slides_along is not None:
                self.sliding.add(i)
            if not plan.is_empty or not joint.enable_collision:
                self._plans.append((joint, plan, matrix, shift))
        self._pairs: list[tuple[str, int, int]] = []

    def exclude(self, pairs: list[tuple[int, int]], owners: Any) -> None:
        """Keep pairs of actors apart that would collide, and joined bodies that must not.

        Bullet's own constraint keeps one actor of each apart, and there may be several.

        Args:
            owners: (k,), the bodies of the actors, in rising order.
        """
        ends = np.searchsorted(owners, np.arange(len(self._world.bodies) + 1)).tolist()
        found = dict.fromkeys(pairs)
        for joint, _, _, _ in self._plans:
            a, b = joint.bodies
            if joint.enable_collision or WORLD in (a, b):
                continue
            every = product(range(ends[a], ends[a + 1]), range(ends[b], ends[b + 1]))
            found.update(dict.fromkeys(islice(every, 1, None)))
        self._pairs += [("GENERIC", *pair) for pair in found]

    def weld(self, pairs: list[tuple[int, int]]) -> None:
        """Hold pairs of actors together, which have the same origin."""
        self._pairs += [("FIXED", *pair) for pair in pairs]

    def link(self, first: Any, together: Any) -> None:
        """Link bodies by constraints that hold nothing; see `islands`.

        Args:
            first: (n,), for every body the number of its first actor.
            together: bodies that motors hold to one raft.
        """
        pairs = [
            tuple(f.body for f in joint.ends if _can_move(self._world, f))
            for joint, _, _, _ in self._plans
        ]
        found = islands.links(pairs, together)
        self._pairs += [("LINK", int(first[a]), int(first[b])) for a, b in found]

    def make(self, collection: Any, places: Array) -> None:
        """Make the objects.

        Args:
            places: (k, 3), of the actors, in Blender's axes.
        """
        for _, _, matrix, _ in self._plans:
            obj = stage.new_object("Joint", None)
            obj.matrix_world = matrix
            collection.objects.link(obj)
            self._objects.append(obj)
        for _, a, _ in self._pairs:
            obj = stage.new_object("Pair", None)
            obj.matrix_world = Matrix.Translation(places[a])
            collection.objects.link(obj)
            self._objects.append(obj)

    def configure(self, first: Any, objects: list[Any], *, late: bool) -> None:
        """Set what they hold, once they are rigid-body constraints.

        Args:
            first: (n,), for every body the number of its first actor.
            objects: the actors, the anchor last.
            late: whether the joints hold nothing before `tie`.
        """
        for obj, (joint, plan, _, shift) in zip(self._objects, self._plans, strict=False):
            bodies = [objects[-1 if body == WORLD else first[body]] for body in joint.bodies]
            bodies = [None, None] if late else bodies
            _configure(obj.rigid_body_constraint, bodies, plan, shift, joint.enable_collision)
            self._ease(obj.rigid_body_constraint, joint)
        for obj, pair in zip(self._objects[len(self._plans) :], self._pairs, strict=True):
            constraint = obj.rigid_body_constraint
            kind, a, b = pair
            constraint.type = "GENERIC" if kind == "LINK" else kind
            constraint.object1, constraint.object2 = objects[a], objects[b]
            constraint.disable_collisions = kind != "LINK"
        self._objects = []

    def _ease(self, constraint: Any, joint: JointFrames) -> None:
        """Use the newer kind of constraint for what joins a body that is moved by hand.

        In the older kind, a limit of an angle takes the levers of what holds the place
        (`rotAllowed`, `m_hasStaticBody`, btGeneric6DofConstraint.cpp), and the body sticks to what
        it should fall off. The newer constraint behind springs has none of that.
        """
        bodies = [self._world.bodies[body] for body in joint.bodies if body != WORLD]
        moved = any(b.type == "kinematic" or b.is_animated for b in bodies)
        if constraint.type == "GENERIC" and moved:
            constraint.type = "GENERIC_SPRING"
            constraint.spring_type = "SPRING2"

    def tie(self, objects: list[Any], actor_of: Callable[[int], Any]) -> None:
        """Let the joints hold, now that the bodies are where they start.

        Args:
            objects: those that `make` made.
            actor_of: gives the first actor of a body; the anchor for `WORLD`.
        """
        for obj, (joint, _, _, _) in zip(objects, self._plans, strict=False):
            constraint = obj.rigid_body_constraint
            constraint.object1, constraint.object2 = map(actor_of, joint.bodies)
            constraint.type = constraint.type

    def relimit(self, objects: list[Any], joints: dict[int, JointFrames], state: State) -> bool:
        """Let go of the joints whose limits are others now; whether they can be held again.

        Bullet makes a constraint anew only a frame after it was freed; then comes `hold_again`.

        Args:
            objects: those that `make` made.
            joints: by node, the joints with the limits that hold now.
            state: where the bodies are now.
        """
        exact = True
        for at, (joint, plan, _, _) in enumerate(self._plans):
            wanted = joints[joint.node]
            if wanted.limits == joint.limits:
                continue
            if _planned(self._world, wanted, state)[0].shifted and not plan.shifted:
                exact = False
                continue
            stage.release([objects[at].rigid_body_constraint])
            self._freed[at] = wanted
        return exact

    def hold_again(self, objects: list[Any], state: State, ends: Any) -> None:
        """Hold what `relimit` let go of, from where the bodies are now.

        Args:
            ends: gives the actor of a body; of the anchor for `WORLD`.
        """
        for at, wanted in self._freed.items():
            plan, matrix, shift = _planned(self._world, wanted, state)
            constraint = objects[at].rigid_body_constraint
            for name in (each for each in CONSTRAINT if each.startswith("use_limit_")):
                setattr(constraint, name, False)
            objects[at].matrix_world = matrix
            bodies = [ends(body) for body in wanted.bodies]
            _configure(constraint, bodies, plan, shift, wanted.enable_collision)
            self._ease(constraint, wanted)
            self._plans[at] = (wanted, plan, matrix, shift)
        self._freed.clear()


def _can_move(world: World, frame: Frame) -> bool:
    return frame.body != WORLD and world.bodies[frame.body].is_forced


def _planned(world: World, joint: JointFrames, state: State) -> tuple[Native, Matrix, int]:
    """What a constraint of Bullet's does for a joint, and the place and axes that it is made with.

    Returns:
        The limits it has; the matrix of its object in Blender's axes; by how many places the axes
        of the joint are turned in it.
    """
    (place_a, axes_a), (place_b, axes_b) = (world.placed(f, state) for f in joint.ends)
    far = float(np.abs([place_a, place_b]).max())
    offset, turn = axes_a.T @ (place_b - place_a), axes_a.T @ axes_b
    plan = native_limits.split(joint, offset, turn, per_axis=world.per_axis, far=far)
    shift = native_limits.order(plan)
    axes = TO_GLTF.T @ np.roll(axes_a, -shift, axis=1)
    return plan, Matrix(placement(axes, points_to_blender(place_b)).tolist()), shift


def _configure(
    constraint: Any, bodies: list[Any], plan: Native, shift: int, enable_collision: bool
) -> None:
    kind, _ = native_limits.kind_of(plan.linear, plan.angular)
    constraint.type = "GENERIC" if kind == "HINGE" else kind
    constraint.object1, constraint.object2 = bodies
    constraint.disable_collisions = not enable_collision
    # Ranges are of how the second body moves against the first.
    ranges = {"lin": plan.linear, "ang": plan.angular}
    seen = {short: [turned_round(ends) for ends in every] for short, every in ranges.items()}
    for name, value in limit_values(constraint.type, seen, shift).items():
        setattr(constraint, name, value)
