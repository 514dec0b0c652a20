import math
import os
import xml.sax.saxutils as sax


class SVG:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def add(self, tag, text=None, **attrs):
        attributes = " ".join(f'{k.rstrip("_").replace("_", "-")}="{v}"' for k, v in attrs.items())
        self.parts.append(f"<{tag} {attributes}/>" if text is None else f"<{tag} {attributes}>{sax.escape(text)}</{tag}>")
        return self

    def render(self):
        body = "\n  ".join(self.parts)
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}">\n  {body}\n</svg>\n'


def star(cx, cy, outer, inner, n=5):
    points = []
    for i in range(2 * n):
        r = outer if i % 2 == 0 else inner
        a = math.pi * i / n - math.pi / 2
        points.append(f"{cx + r * math.cos(a):.1f},{cy + r * math.sin(a):.1f}")
    return " ".join(points)


with SVG(200, 120) as svg:
    svg.add("rect", x=0, y=0, width=200, height=120, fill="white")
    svg.add("polygon", points=star(60, 60, 40, 16), fill="gold", stroke_width=2)
    for i, v in enumerate([10, 40, 25]):
        svg.add("rect", x=120 + 25 * i, y=110 - v, width=20, height=v, fill=f"hsl({i * 90},60%,50%)")
    svg.add("text", "A & B <chart>", x=120, y=20, font_size=10)
target = os.path.join(OUTPUT, "shapes.svg")
with open(target, "w") as f:
    f.write(svg.render())
print(svg.render())
print(os.path.getsize(target) == len(svg.render()), os.path.splitext(target)[1])
