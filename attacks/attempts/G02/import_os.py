"""The plain import."""
import os

print("ESCAPED:import_os", os.getpid())
