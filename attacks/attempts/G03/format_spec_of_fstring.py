"""A format field behind a format that is an attribute of an attribute."""
import textwrap

text = f"{'{0.__glo' 'bals__}'!s}".format(textwrap.dedent)
print("ESCAPED:format_spec_of_fstring" if "builtins" in text else "held")
