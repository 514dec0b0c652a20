#!/usr/bin/env python3
"""Command-line plot maker: argparse, logging, pathlib, warnings, several backends."""
import argparse
import logging
import os
import sys
import warnings
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.backends.backend_pdf import PdfPages

logging.getLogger("matplotlib").setLevel(logging.WARNING)
log = logging.getLogger(__name__)
HERE = Path(os.getcwd())


def load(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"t": np.arange(n), **{f"probe{k}": rng.normal(k, 1, n).cumsum() for k in range(3)}}).set_index("t")


def page(pdf, frame, column):
    fig, ax = plt.subplots()
    ax.plot(frame.index, frame[column], lw=0.8)
    ax.set_title(column.title())
    pdf.savefig(fig, bbox_inches="tight")
    plt.close(fig)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("-n", type=int, default=50)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--out", type=Path, default=HERE / "pages")
    parser.add_argument("--format", nargs="+", choices=["png", "svg", "pdf"], default=["png"])
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    frame = load(args.n, args.seed)
    with PdfPages(args.out / "all.pdf", metadata={"Author": "probe group"}) as pdf:
        for column in frame:
            page(pdf, frame, column)
        print("pages", pdf.get_pagecount())
        pdf.infodict()["Keywords"] = "probe"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fig, ax = plt.subplots()
        ax.plot([], [])
        ax.legend()
    print(len(caught), caught[0].category.__name__ if caught else None)
    for kind in args.format:
        frame.plot().figure.savefig(args.out / f"probes.{kind}")
    print(sorted(p.name for p in args.out.iterdir()), matplotlib.get_backend().lower(), matplotlib.__version_info__[:2] >= (3, 5), plt.isinteractive())
    return 0


if __name__ == "__main__":
    sys.exit(main(["-n", "40", "--format", "png", "svg"]))
