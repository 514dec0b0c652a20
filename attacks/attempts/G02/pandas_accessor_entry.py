"""matplotlib takes a module's name for every figure's backend."""
import matplotlib

try:
    matplotlib.use("module://webbrowser", force=True)
except AttributeError as error:
    print("ESCAPED:pandas_accessor_entry", error.obj.__name__)
