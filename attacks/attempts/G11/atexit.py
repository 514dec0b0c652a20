"""atexit runs what libraries and the guard have registered, before the end."""
import atexit

atexit._run_exitfuncs()
print("ESCAPED:atexit", atexit._ncallbacks())
