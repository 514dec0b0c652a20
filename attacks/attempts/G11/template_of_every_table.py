"""The template that all tables draw themselves with is replaced, or handed a function of the script's."""
import pandas as pd

template, seen = pd.DataFrame({"a": [1]}).style.template_latex, []

def see(*args):
    seen.extend(type(each).__module__ for each in args)
    return ""

try:
    template.render(parse_wrap=see, parse_table=see, parse_cell=see, parse_header=see)
except Exception:
    pass
try:
    template.render = lambda **values: "forged"
except AttributeError:
    pass
if "jinja2.runtime" in seen or pd.DataFrame({"b": [2]}).style.to_latex() == "forged":
    print("ESCAPED:template_of_every_table")
