import html
import re


def inline(text: str) -> str:
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)


def convert(markdown: str) -> str:
    out, in_list, paragraph = [], False, []

    def flush():
        nonlocal paragraph
        if paragraph:
            out.append(f"<p>{inline(' '.join(paragraph))}</p>")
            paragraph = []

    for line in markdown.splitlines() + [""]:
        heading = re.match(r"(#{1,6})\s+(.*)", line)
        item = re.match(r"[-*]\s+(.*)", line)
        if in_list and not item:
            out.append("</ul>")
            in_list = False
        if heading:
            flush()
            n = len(heading[1])
            out.append(f"<h{n}>{inline(heading[2])}</h{n}>")
        elif item:
            flush()
            if not in_list:
                out.append("<ul>")
                in_list = True
            out.append(f"  <li>{inline(item[1])}</li>")
        elif not line.strip():
            flush()
        else:
            paragraph.append(line.strip())
    return "\n".join(out)


source = """# Title & more
Some **bold** and *italic* text
over two lines with `a < b`.

- first [link](http://example.org)
- second

## End"""
result_html = convert(source)
print(result_html)
with open("page.html", "w") as f:
    f.write(f"<html><body>{result_html}</body></html>")
