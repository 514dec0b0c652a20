import io, os
import numpy as np
import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages

fig, ax = plt.subplots()
ax.plot([1, 2, 3], label=r"$\alpha$"); ax.legend(); ax.set_title("Ünï → ☃", url="http://a")
ax.scatter([1], [1], rasterized=True); ax.contourf(np.random.RandomState(0).rand(5, 5), hatches=["/", "x"], alpha=0.4)
for fmt in ["png", "svg", "pdf", "jpg", "tif", "webp", "raw", "rgba", "svgz", "ps", "eps"]:
    buf = io.BytesIO()
    try:
        fig.savefig(buf, format=fmt, dpi=50)
        print(fmt, len(buf.getvalue()) > 100, buf.getvalue()[:4] if fmt in ("png", "pdf", "jpg", "webp") else "")
    except Exception as e:
        print(fmt, type(e).__name__, e)
for t in ("path", "none"):
    with mpl.rc_context({"svg.fonttype": t, "pdf.fonttype": 42, "svg.hashsalt": "x"}):
        b = io.StringIO(); fig.savefig(b, format="svg", metadata={"Date": None, "Title": "t"}); print(b.getvalue().count("<text") > 0, "<dc:title>t" in b.getvalue())
        fig.savefig("fonts.pdf", metadata={"Author": "me", "CreationDate": None}, bbox_inches="tight")
with PdfPages("multi.pdf", metadata={"Title": "Multi"}) as pdf:
    pdf.savefig(fig); pdf.attach_note("note"); plt.figure(); pdf.savefig(); pdf.savefig(fig, orientation="landscape"); d = pdf.infodict(); d["Author"] = "x"; print(pdf.get_pagecount())
print(sorted(os.listdir(".")), sorted(fig.canvas.get_supported_filetypes())[:3], sorted(fig.canvas.get_supported_filetypes_grouped())[0])
fig.savefig("trans.png", transparent=True, facecolor="r", edgecolor="b", bbox_inches=fig.bbox_inches.from_bounds(1, 1, 2, 2), bbox_extra_artists=[ax.title], backend="agg")
print(plt.imread("trans.png").shape, fig.canvas.filetypes["png"], fig.canvas.get_default_filename())
