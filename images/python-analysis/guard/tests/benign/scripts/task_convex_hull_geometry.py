from typing import List, NamedTuple
import math


class P(NamedTuple):
    x: float
    y: float


def cross(o: P, a: P, b: P) -> float:
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x)


def convex_hull(points: List[P]) -> List[P]:
    points = sorted(set(points))

    def half(seq):
        out = []
        for p in seq:
            while len(out) >= 2 and cross(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return half(points) + half(reversed(points))


def area(poly):
    return abs(sum(a.x * b.y - b.x * a.y for a, b in zip(poly, poly[1:] + poly[:1]))) / 2


def contains(poly, p):
    inside = False
    for a, b in zip(poly, poly[1:] + poly[:1]):
        if (a.y > p.y) != (b.y > p.y) and p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x:
            inside = not inside
    return inside


pts = [P(x, y) for x, y in [(0, 0), (4, 0), (4, 3), (0, 3), (2, 1), (1, 2), (2, 5)]]
hull = convex_hull(pts)
print(hull)
print("area", area(hull), "perimeter %.3f" % sum(math.dist(a, b) for a, b in zip(hull, hull[1:] + hull[:1])))
print([contains(hull, P(*q)) for q in [(2, 2), (5, 5), (0.1, 2.9)]])
closest = min(((math.dist(a, b), a, b) for i, a in enumerate(pts) for b in pts[i + 1:]))
print("closest pair:", round(closest[0], 3), closest[1], closest[2])
