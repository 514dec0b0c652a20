import numpy as np
import matplotlib.pyplot as plt
import matplotlib.lines as lines
import matplotlib.text as mtext
import matplotlib.transforms as mtransforms


class LabelledLine(lines.Line2D):
    def __init__(self, *args, **kwargs):
        self.label_text = mtext.Text(0, 0, "")
        super().__init__(*args, **kwargs)
        self.label_text.set_text(self.get_label())

    def set_figure(self, figure):
        self.label_text.set_figure(figure)
        super().set_figure(figure)

    @lines.Line2D.axes.setter
    def axes(self, new_axes):
        self.label_text.axes = new_axes
        lines.Line2D.axes.fset(self, new_axes)

    def set_transform(self, transform):
        self.label_text.set_transform(transform + mtransforms.Affine2D().translate(2, 2))
        super().set_transform(transform)

    def set_data(self, x, y):
        if len(x):
            self.label_text.set_position((x[-1], y[-1]))
        super().set_data(x, y)

    def draw(self, renderer):
        super().draw(renderer)
        self.label_text.draw(renderer)


fig, ax = plt.subplots()
x, y = np.random.RandomState(3).rand(2, 20)
line = LabelledLine(x, y, mfc="red", ms=12, label="line label")
line.label_text.set_color("red")
line.label_text.set_fontsize(16)
ax.add_line(line)
fig.canvas.draw()
print(ax.lines[0] is line, line.axes is ax, line.label_text.axes is ax, line.label_text.get_text())
print(line.get_figure() is fig, line.stale, line.get_children())
