"""The module that random keeps for its own use.

Selected: yes
"""
import random

print("ESCAPED:random_os", random._os.getpid())
