"""All rules over a whole document and the tree of its nodes.

What a record or a member breaks is found where it is read and written; here are the rules that
need two of them, and those about habits that are legal and rarely meant.
"""

from __future__ import annotations

from . import body_rules, joint_rules, list_rules, trigger_rules, vehicle_rules
from .subject import Subject


def check(subject: Subject) -> None:
    """Add what all rules find to the subject's issues."""
    for module in (body_rules, trigger_rules, joint_rules, vehicle_rules, list_rules):
        module.check(subject)
