"""Loops that read and set attributes of the script's own objects: private and public, few and many at a time."""

import time

began = time.thread_time()


class Point:
    def __init__(self, x, y):
        self._x = x
        self._y = y
        self.moves = 0

    @property
    def x(self):
        return self._x

    def move(self, dx, dy):
        self._x += dx
        self._y += dy
        self.moves += 1

    def distance(self, other):
        return abs(self._x - other._x) + abs(self._y - other._y)


def farthest(points, origin):
    best = 0
    for point in points:
        d = (point._x - origin._x) ** 2 + (point._y - origin._y) ** 2
        if d > best:
            best = d
    return best


origin = Point(0, 0)
points = [Point(i, -i) for i in range(20_000)]
for turn in range(4):
    for point in points:
        point.move(turn, 1)
    best = farthest(points, origin)
    total = sum(point.distance(origin) for point in points)
    wide = [point._x for point in points if point.x > turn]
print(time.thread_time() - began)
