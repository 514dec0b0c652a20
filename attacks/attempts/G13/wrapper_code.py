"""The constants of a function that the script did not write."""
import textwrap

print("ESCAPED:wrapper_code", textwrap.dedent.__code__.co_consts)
