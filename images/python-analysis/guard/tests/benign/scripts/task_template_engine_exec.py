"""A micro template engine that compiles templates to Python."""
import re
import textwrap


class Template:
    TOKEN = re.compile(r"({{.*?}}|{%.*?%})")

    def __init__(self, text):
        self.text = text
        lines, indent = ["def render(ctx):", "    out = []"], 1
        for part in self.TOKEN.split(text):
            pad = "    " * indent
            if part.startswith("{{"):
                lines.append(f"{pad}out.append(str({self._expr(part[2:-2].strip())}))")
            elif part.startswith("{%"):
                stmt = part[2:-2].strip()
                if stmt.startswith(("for ", "if ")):
                    head, _, tail = stmt.partition(" in ")
                    if stmt.startswith("for "):
                        lines.append(f"{pad}for ctx['{head[4:].strip()}'] in {self._expr(tail.strip())}:")
                    else:
                        lines.append(f"{pad}if {self._expr(stmt[3:])}:")
                    indent += 1
                elif stmt.startswith("end"):
                    indent -= 1
            elif part:
                lines.append(f"{pad}out.append({part!r})")
        lines.append("    return ''.join(out)")
        namespace = {}
        exec("\n".join(lines), namespace)
        self.render_func = namespace["render"]

    def _expr(self, e):
        return re.sub(r"\b([a-z_]\w*)\b", r"ctx['\1']", e)

    def render(self, **ctx):
        return self.render_func(ctx)


t = Template("Hi {{ name }}!{% for item in items %} [{{ item }}]{% end %}{% if admin %} (admin){% end %}")
print(t.render(name="Ann", items=[1, 2], admin=False))
print(t.render(name="Bob", items=[], admin=True))
print(textwrap.dedent(Template("plain").render()))
