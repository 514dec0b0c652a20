"""Tells what a script finds under the guard, one fact a line."""

import decimal, json, logging, os.path, sys, time
import matplotlib, numpy, pandas
import matplotlib.pyplot

WORK = numpy.random.default_rng(1).random((300, 300))
logging.basicConfig(format="%(relativeCreated)d ms after logging began")
logging.warning("said")

FACTS = {
    "directory": lambda: os.path.abspath("."),
    "hash of a text": lambda: [hash("a"), list({"x", "y", "z", "alpha", "beta"})],
    "decimal": lambda: str(decimal.getcontext()),
    "numpy": lambda: [numpy.geterr(), str(numpy.get_printoptions())],
    "pandas": lambda: [pandas.get_option("display.max_rows"), pandas.get_option("display.width"), pandas.get_option("mode.copy_on_write")],
    "matplotlib": lambda: sorted((name, str(value)) for name, value in matplotlib.rcParams.items()),
    "pyplot": lambda: matplotlib.pyplot.get_fignums(),
    "its clock begins with it": lambda: time.process_time() < 60,
    "linear algebra": lambda: round(float(numpy.linalg.eigvalsh(WORK @ WORK.T)[-1]), 6),
    "name": lambda: [__name__, __file__, sys.argv],
}
for name, fact in FACTS.items():
    print(json.dumps([name, fact()], default=str))
