"""Learn whether a file exists and how large it is: stat raises no audit event.

Held by: nothing
Worth: facts about the image, which holds no secret; other runs and the host are in no mount.
"""
import os

print("ESCAPED:stat_outside", os.stat("@CANARY@").st_size)
