"""What no single field can say: rules over a whole document and the tree of its nodes.

What a record or a member breaks is found where it is read and written; here are the rules that
need two of them, and those about habits that are legal and rarely meant.
"""

from __future__ import annotations

from . import rules_bodies, rules_joints, rules_lists, rules_triggers, rules_vehicles
from .subject import Subject


def check(subject: Subject) -> None:
    """Add what all rules find to the subject's issues."""
    for module in (rules_bodies, rules_triggers, rules_joints, rules_vehicles, rules_lists):
        module.check(subject)
