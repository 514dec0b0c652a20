"""What was seeded when it was imported, seeded anew in what is forked.

Two forks of one template must not draw the same numbers. What reads the kernel's
randomness whenever it is asked (uuid4, secrets, default_rng) needs nothing; Python's
hashes have no salt, so that a run can be repeated (PYTHONHASHSEED in the environment).
A script that gives a seed of its own finds the same numbers in every fork.
"""

from __future__ import annotations

import sys

__all__ = ["reseed"]


def reseed() -> None:
    """Seed the generators that modules keep for everybody from the kernel's randomness."""
    if "random" in sys.modules:
        vars(sys.modules["random"])["_inst"].seed()
    if "numpy.random.mtrand" in sys.modules:
        vars(sys.modules["numpy.random.mtrand"])["_rand"].seed()
