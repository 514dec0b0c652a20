"""Make a code object that was never compiled, and a function of it: any memory, in three lines.

Held by: hook
"""
import dis


def mine():
    return 1


code = dis._get_code_object(mine)
changed = code.replace(co_consts=(None, "changed"))
print("ESCAPED:code_by_hand", eval(changed))
