"""Projections of one's own: a sky map of equal areas, and polar axes for a skill profile."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, RegularPolygon
from matplotlib.path import Path
from matplotlib.projections import PolarAxes, get_projection_class, register_projection
from matplotlib.projections.geo import GeoAxes
from matplotlib.spines import Spine
from matplotlib.transforms import Affine2D, Transform

ROOT2 = np.sqrt(2.0)


class _Sky(Transform):
    input_dims = output_dims = 2

    def __init__(self, steps):
        super().__init__()
        self.steps = steps


class SkyAxes(GeoAxes):
    """Cylindrical and of equal areas: stars per square are comparable everywhere."""

    name = "sky"

    class There(_Sky):
        def transform_non_affine(self, values):
            right, up = np.asarray(values, float).T
            return np.column_stack([right / ROOT2, ROOT2 * np.sin(up)])

        def transform_path_non_affine(self, path):
            finer = path.interpolated(self.steps)
            return Path(self.transform(finer.vertices), finer.codes)

        def inverted(self):
            return SkyAxes.Back(self.steps)

    class Back(_Sky):
        def transform_non_affine(self, values):
            x, y = np.asarray(values, float).T
            return np.column_stack([x * ROOT2, np.arcsin(np.clip(y / ROOT2, -1, 1))])

        def inverted(self):
            return SkyAxes.There(self.steps)

    def __init__(self, *args, **kwargs):
        self._longitude_cap = np.pi / 2
        super().__init__(*args, **kwargs)
        self.set_aspect("equal", adjustable="box", anchor="C")
        self.clear()

    def _get_core_transform(self, resolution):
        return self.There(resolution)

    def _get_affine_transform(self):
        return Affine2D().scale(0.5 * ROOT2 / np.pi, 0.25 * ROOT2).translate(0.5, 0.5)

    def _gen_axes_patch(self):
        return plt.Rectangle((0, 0), 1, 1)

    def _gen_axes_spines(self):
        return {"geo": Spine.linear_spine(self, "bottom"), "equator": Spine.linear_spine(self, "top")}

    def format_coord(self, lon, lat):
        return f"{np.degrees(lon) / 15:.1f}h {np.degrees(lat):+.0f}"


class ProfileAxes(PolarAxes):
    name = "profile"
    traits = ("speed", "accuracy", "memory", "focus", "planning", "calm")
    PolarTransform = PolarAxes.PolarTransform

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.spokes = np.arange(len(self.traits)) * 2 * np.pi / len(self.traits)
        self.set_theta_offset(np.pi / 2)
        self.set_theta_direction(-1)
        self.set_xticks(self.spokes, self.traits)

    def outline(self, scores, **kwargs):
        angles, radii = np.append(self.spokes, self.spokes[0]), np.append(scores, scores[0])
        return self.plot(angles, radii, **kwargs)[0], self.fill(angles, radii, alpha=0.15)[0]

    def _gen_axes_patch(self):
        return RegularPolygon((0.5, 0.5), len(self.traits), radius=0.5)

    def draw(self, renderer):
        self.drawn = getattr(self, "drawn", 0) + 1
        super().draw(renderer)


for kind in (SkyAxes, ProfileAxes):
    register_projection(kind)
rng = np.random.default_rng(77)
fig = plt.figure(figsize=(8, 4))
sky = fig.add_subplot(1, 2, 1, projection="sky")
sky.scatter(rng.uniform(-3, 3, 50), np.arcsin(rng.uniform(-1, 1, 50)), s=4)
sky.plot(np.radians([-120, 0, 120]), np.radians([-40, 50, -10]))
sky.grid(True)
sky.set_longitude_grid(45)
sky.set_longitude_grid_ends(75)
profile = fig.add_subplot(1, 2, 2, projection="profile")
line, face = profile.outline([3, 4, 2, 5, 4, 3], color="purple")
profile.set_rgrids([1, 3, 5], angle=20)
fig.canvas.draw()
there = SkyAxes.There(10)
print(get_projection_class("sky") is SkyAxes, sky.format_coord(np.pi / 2, -0.5), np.allclose(there.inverted().transform(there.transform([[1.0, 0.4]])), [[1, 0.4]]))
print([t.get_text() for t in profile.get_xticklabels()], profile.drawn, face.get_alpha(), len(line.get_xdata()))
print(sky.get_xlim()[1].round(3), isinstance(sky.patch, Circle), type(profile.patch).__name__, sorted(sky.spines))
