from textwrap import dedent, indent
from string import Template
import keyword
import re

SPEC = {"name": "invoice", "fields": [("number", "int"), ("total", "float"), ("class", "str")]}


def camel(name):
    return "".join(p.capitalize() for p in name.split("_"))


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def safe(name):
    return name + "_" if keyword.iskeyword(name) else name


template = Template(dedent("""\
    @dataclass
    class $cls:
    $fields

        def describe(self) -> str:
            return f"$cls({self.$first})"
"""))
code = template.substitute(
    cls=camel(SPEC["name"]),
    fields=indent("\n".join(f"{safe(n)}: {t}" for n, t in SPEC["fields"]), "    "),
    first=SPEC["fields"][0][0],
)
print(code)
print(camel("user_account_id"), snake("HttpServerError"), safe("lambda"), keyword.iskeyword("print"))
sql = "CREATE TABLE {name} (\n{cols}\n);".format(
    name=SPEC["name"], cols=",\n".join(f"  {n} {dict(int='INTEGER', float='REAL', str='TEXT')[t]}" for n, t in SPEC["fields"]))
print(sql)
with open("generated.txt", "w") as f:
    f.write(code)
print(sum(1 for _ in open("generated.txt")), "lines")
