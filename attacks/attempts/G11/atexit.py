"""An exit handler."""
import atexit

atexit.register(print, "ESCAPED:atexit")
