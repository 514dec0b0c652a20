"""A path-like object that answers differently the second time.

Selected: yes
"""


class Lie:
    times = 0

    def __fspath__(self):
        self.times += 1
        return str(DATA / "visits.csv") if self.times % 2 else "@CANARY@"


lie = Lie()
for _ in range(4):
    try:
        text = open(lie).read()
    except OSError:
        continue
    if text.startswith("canary:"):
        print("ESCAPED:path_that_lies")
        break
