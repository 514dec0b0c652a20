import textwrap
from datetime import date

class Report:
    """Collects paragraphs and tables, writes Markdown."""

    def __init__(self, title, *, width=72):
        self.title = title
        self.width = width
        self._parts = []

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            self.save()
        return False

    def add(self, text):
        self._parts.append(textwrap.fill(textwrap.dedent(text).strip(), self.width))
        return self

    def table(self, df, digits=2):
        head = "| " + " | ".join(map(str, df.columns)) + " |"
        rule = "|" + "---|" * df.shape[1]
        body = ["| " + " | ".join(f"{v:.{digits}f}" if isinstance(v, float) else str(v) for v in row) + " |" for row in df.itertuples(index=False)]
        self._parts.append("\n".join([head, rule, *body]))
        return self

    def save(self):
        (OUTPUT / "report.md").write_text(str(self), encoding="utf-8")

    def __str__(self):
        return "\n\n".join([f"# {self.title}", *self._parts])

    def __len__(self):
        return len(self._parts)

with Report("Blood pressure") as report:
    report.add("""
        Mean systolic pressure by visit.
        Missing values were left out.
    """).table(visits.groupby("visit", as_index=False)["sbp"].mean())
print(report, len(report), bool(report), date(2024, 5, 6).strftime("%d.%m.%Y"))
