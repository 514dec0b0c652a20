"""A sub-interpreter has no audit hook of ours.

Held by: absence
"""
import _interpreters

number = _interpreters.create()
_interpreters.exec(number, "print('ESCAPED:sub_interpreter', open('@CANARY@').read())")
print("ESCAPED:sub_interpreter")
