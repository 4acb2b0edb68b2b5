"""What Babylon.js makes of files that is not what they say."""

from __future__ import annotations

import enum

from ...issue_codes import ACTION, FACT, INFO, WARNING, IssueCode


@enum.unique
class BabylonCode(IssueCode):
    """The codes that users see, as those of `Code`."""

    IGNORES_TRIGGER = "X40", WARNING, "Babylon.js does not import triggers", FACT
    SPEEDS_MOTOR = "X41", WARNING, "Babylon.js runs a motor too fast"
    SLOWS_SPIN = "X42", INFO, "Babylon.js damps rotation by default", FACT
    CONFUSES_SYSTEMS = "X43", WARNING, "Babylon.js has too few collision systems"
    CHANGES_TAPER = "X44", WARNING, "Babylon.js replaces a tapered shape"
    IGNORES_GRAVITY = "X54", WARNING, "Babylon.js ignores gravity in glTF", FACT
    WEAKENS_DRIVE = "X55", WARNING, "Babylon.js weakens a drive in acceleration mode"
    MIXES_ANGLES = "X56", WARNING, "Babylon.js measures angles about several axes differently"
    MULTIPLIES_INERTIA = "X58", WARNING, "Babylon.js multiplies moments of inertia by the mass"
    COMBINES_OTHERWISE = "X59", WARNING, "Babylon.js chooses another combine mode for two surfaces"
    TAKES_OTHERWISE = (
        "X70",
        INFO,
        "Babylon.js interprets objects differently, unless the file is written for Babylon.js",
        ACTION,
    )
    LOSES_SHEARED = "X64", WARNING, "Babylon.js drops a sheared shape"
