"""print writes to an object whose class is the guard's; its attributes lead to the channel."""
import contextlib
import io

stream = io.StringIO()
with contextlib.redirect_stdout(stream) as target:
    held = target
import warnings

print("ESCAPED:class_of_writer", warnings.sys.stdout.buffer)
