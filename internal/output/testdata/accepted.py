"""Writes testdata/accepted as a tar archive to stdout.

Run by Debian trixie's Python 3.13 (matplotlib 3.10.1, pandas 2.2.3, statsmodels
0.14.4), in the image that runs use:

    python3 accepted.py | tar x -C accepted
"""

import io
import sys
import tarfile

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
from matplotlib.backends.backend_pdf import PdfPages

out = {}
rng = np.random.default_rng(1)
x = rng.normal(size=12)
y = 2 * x + rng.normal(size=12)
for f in ("svg", "pdf", "png"):
    fig, ax = plt.subplots(1, 2, figsize=(4, 2))
    ax[0].scatter(x, y)
    ax[0].set_title("a & b <c>")
    ax[0].set_xlabel("$\\alpha$")
    ax[0].legend(["é"])
    ax[1].imshow(rng.random((3, 3)))
    buffer = io.BytesIO()
    fig.savefig(buffer, format=f)
    out["figure." + f] = buffer.getvalue()
# Each kind of object that the PDF writer knows, and both kinds of fonts.
for name, settings in {
    "kinds": {},
    "truetype": {"pdf.fonttype": 42},
    "core-fonts": {"pdf.use14corefonts": True, "pdf.compression": 0},
}.items():
    with matplotlib.rc_context(settings), io.BytesIO() as buffer:
        fig, ax = plt.subplots(2, 3, figsize=(6, 4))
        ax[0, 0].scatter(x, y, alpha=0.4, c=x)
        ax[0, 1].imshow(rng.random((3, 3, 4)) if name == "kinds" else [[1]])
        ax[0, 2].bar([1, 2], [3, 4], hatch="//", alpha=0.5)
        ax[1, 0].tripcolor(x, y, x, shading="gouraud")
        ax[1, 1].pcolormesh(rng.random((5, 5)), rasterized=True)
        ax[1, 2].contourf(rng.random((5, 5)))
        if name != "core-fonts":
            ax[1, 2].set_title("Ж → AA $\\int_0^1$ (x) / y")
        fig.savefig(buffer, format="pdf", metadata={"Title": "a /b (é", "Keywords": "x"}, dpi=20)
        out[name + ".pdf"] = buffer.getvalue()
with io.BytesIO() as buffer:
    with PdfPages(buffer, metadata={"Author": "é"}) as pages:
        for _ in range(2):
            fig, ax = plt.subplots()
            ax.plot(x, y, marker="o")
            pages.attach_note("a note (1)")
            pages.savefig(fig)
    out["pages.pdf"] = buffer.getvalue()

df = pd.DataFrame({"x": x, "y": y, "g": list("ab") * 6})
out["table.csv"] = df.to_csv().encode()
out["table.html"] = df.groupby("g").describe().to_html().encode()
out["table.json"] = df.to_json().encode()
out["table.jsonl"] = df.to_json(orient="records", lines=True).encode()
res = sm.OLS(y, sm.add_constant(x)).fit()
out["summary.html"] = res.summary().as_html().encode()
out["summary.txt"] = str(res.summary()).encode()
out["markdown.md"] = b"# Result\n\n| a | b |\n"

with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as archive:
    for name, content in out.items():
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
