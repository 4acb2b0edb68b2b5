"""A box of 1, 2 and 3 m as triangles, as files have it."""

import itertools

import numpy as np

POINTS = np.array(list(itertools.product((0.0, 1.0), repeat=3)), dtype="<f4") * (1, 2, 3)
FACES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
     (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
)  # fmt: skip
