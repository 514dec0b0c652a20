"""contextlib keeps os and sys."""
import contextlib

print("ESCAPED:contextlib_os", contextlib.os.getpid())
