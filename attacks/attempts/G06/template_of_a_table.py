"""pandas makes Python of a template that the script writes."""
import pandas as pd

style = pd.DataFrame({"a": [1]}).style
with open("/tmp/mine.tpl", "w") as file:
    file.write("{{ ''.__class__.__mro__[1].__subclasses__()|length }}")
mine = type(style).from_custom_template("/tmp", html_table="mine.tpl")
text = mine(pd.DataFrame({"a": [1]})).to_html(exclude_styles=True)
if text.strip().isdigit():
    print("ESCAPED:template_of_a_table")
