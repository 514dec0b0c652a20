"""Unit helpers with doctests.

>>> to_knots(1.852)
1.0
"""
import doctest

def to_knots(kmh):
    """Convert km/h to knots.

    >>> to_knots(18.52)
    10.0
    >>> to_knots(-1)
    Traceback (most recent call last):
        ...
    ValueError: speed must not be negative
    """
    if kmh < 0:
        raise ValueError("speed must not be negative")
    return round(kmh / 1.852, 3)

class Depth:
    """A depth in metres.

    >>> d = Depth(10)
    >>> d.fathoms
    5.468
    >>> d + Depth(2)
    Depth(12)
    """
    def __init__(self, m): self.m = m
    @property
    def fathoms(self): return round(self.m / 1.8288, 3)
    def __add__(self, other): return Depth(self.m + other.m)
    def __repr__(self): return f"Depth({self.m})"

if __name__ == "__main__":
    results = doctest.testmod()
    print(f"{results.attempted} tests, {results.failed} failed")
