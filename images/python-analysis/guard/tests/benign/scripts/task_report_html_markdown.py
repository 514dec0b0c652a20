import html
import json
from datetime import date
from string import Template
from textwrap import dedent

DATA = json.loads('[{"product": "Widget <A>", "units": 10, "price": 2.5}, {"product": "Gadget & co", "units": 3, "price": 19.99}]')
PAGE = Template(dedent("""\
    <html><body><h1>$title</h1>
    <table>$rows</table>
    <p>Total: $total</p></body></html>
"""))


def money(x, currency="EUR"):
    return f"{x:,.2f} {currency}"


def to_html(items):
    rows = "".join(f"<tr><td>{html.escape(i['product'])}</td><td>{money(i['units'] * i['price'])}</td></tr>" for i in items)
    return PAGE.substitute(title=f"Report {date(2024, 5, 1):%B %Y}", rows=rows, total=money(sum(i["units"] * i["price"] for i in items)))


def to_markdown(items):
    head = list(items[0])
    widths = {h: max(len(h), *(len(str(i[h])) for i in items)) for h in head}
    line = lambda vals: "| " + " | ".join(str(v).ljust(widths[h]) for h, v in zip(head, vals)) + " |"
    return "\n".join([line(head), line("-" * widths[h] for h in head), *(line(i.values()) for i in items)])


print(to_html(DATA))
print(to_markdown(DATA))
with open("report.md", "w") as f:
    print(to_markdown(DATA), file=f)
print(sum(1 for _ in open("report.md")))
