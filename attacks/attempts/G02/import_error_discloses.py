"""What traceback suggests tells the names of a module that the policy does not list."""
import io
import logging

said = io.StringIO()
logging.basicConfig(stream=said, force=True)
try:
    raise ImportError("no", name="subprocess", name_from="check_outpu")
except ImportError:
    logging.exception("told")
if "check_output'?" in said.getvalue():
    print("ESCAPED:import_error_discloses", said.getvalue().splitlines()[-1])
