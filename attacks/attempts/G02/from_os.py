"""One name of it.

Selected: yes
"""
from os import getpid

print("ESCAPED:from_os", getpid())
