import csv
import html
import io
from pathlib import Path
from string import Template

PAGE = Template("""<!doctype html>
<title>$title</title>
<h1>$title</h1>
<table>
$rows
</table>
<p>Generated for ${owner}; costs $$5.</p>
""")


def td(value, tag="td"):
    return f"<{tag}>{html.escape(str(value))}</{tag}>"


data = "name,score\nAnn & Co,7\n<Bob>,9\n"
reader = csv.reader(io.StringIO(data))
header, *body = reader
rows = ["<tr>" + "".join(td(h, "th") for h in header) + "</tr>"]
rows += ["<tr>" + "".join(map(td, r)) + "</tr>" for r in body]
page = PAGE.substitute(title="Scores", rows="\n".join(rows), owner="QA")
out = Path.cwd() / "scores.html"
out.write_text(page, encoding="utf-8")
print(page)
try:
    PAGE.substitute(title="x")
except KeyError as e:
    print("missing", e)
print(PAGE.safe_substitute(title="T").count("$"), out.exists(), out.name, out.parent == Path.cwd())
