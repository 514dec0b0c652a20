"""Read the constants of the hook's code, in which all that it decides by is.

Held by: hook
"""
import traceback

try:
    open("@CANARY@")
except OSError as error:
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    print("ESCAPED:hook_code_of_its_frame", frames[-1].f_code.co_consts)
print("ESCAPED:hook_code_of_its_frame", open("@CANARY@").read())
