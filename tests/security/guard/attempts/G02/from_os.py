"""One name of it.
Sandbox: yes
"""
from os import getpid

print("ESCAPED:from_os", getpid())
