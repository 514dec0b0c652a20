"""traceback imports the module that an ImportError names, to suggest another name of it: this one prints a poem."""
import contextlib
import io
import logging

printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    try:
        raise ImportError("no", name="this", name_from="x")
    except ImportError:
        logging.exception("told")
if "Zen" in printed.getvalue():
    print("ESCAPED:import_error_suggestion")
