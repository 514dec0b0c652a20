import csv
import html
import io
import json
import xml.etree.ElementTree as ET
from collections import OrderedDict
from datetime import date, datetime
from decimal import Decimal
from html.parser import HTMLParser
from xml.dom import minidom
from xml.sax.saxutils import escape, quoteattr

ROWS = [{"id": 1, "name": 'Ann "A"', "born": date(1990, 1, 2), "pay": Decimal("10.50")}, {"id": 2, "name": "Bob <b>", "born": None, "pay": None}]


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, (date, datetime)):
            return o.isoformat()
        if isinstance(o, Decimal):
            return str(o)
        return super().default(o)


def hook(d):
    if "born" in d and d["born"]:
        d["born"] = date.fromisoformat(d["born"])
    return d


text = json.dumps(ROWS, cls=Encoder, ensure_ascii=False, separators=(",", ":"))
print(text)
print(json.loads(text, object_hook=hook)[0]["born"].year, json.loads('{"b":1,"a":2}', object_pairs_hook=OrderedDict))
try:
    json.loads("{bad}")
except json.JSONDecodeError as e:
    print(e.msg, e.lineno, e.colno, e.pos)
try:
    json.dumps({1, 2})
except TypeError as e:
    print(e)
buf = io.StringIO()
w = csv.DictWriter(buf, fieldnames=["id", "name"], extrasaction="ignore", quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
w.writeheader()
w.writerows(ROWS)
print(buf.getvalue())
buf.seek(0)
print([dict(r) for r in csv.DictReader(buf)], csv.Sniffer().sniff("a;b\n1;2").delimiter, csv.list_dialects())
csv.register_dialect("pipes", delimiter="|")
print(list(csv.reader(["a|b"], dialect="pipes")))
root = ET.Element("people", version="1")
for r in ROWS:
    p = ET.SubElement(root, "person", id=str(r["id"]))
    ET.SubElement(p, "name").text = r["name"]
    p.tail = "\n"
ET.indent(root)
xml = ET.tostring(root, encoding="unicode")
print(xml)
back = ET.fromstring(xml)
print([(p.get("id"), p.findtext("name")) for p in back.iter("person")], back.find("./person[@id='2']/name").text, back.attrib)
print(minidom.parseString(xml).documentElement.tagName, minidom.parseString("<a><b/></a>").toprettyxml(indent=" "))
ET.ElementTree(root).write("people.xml", encoding="utf-8", xml_declaration=True)
print(ET.parse("people.xml").getroot().tag)
for event, elem in ET.iterparse("people.xml", events=("start", "end")):
    if event == "end" and elem.tag == "name":
        print(elem.text)
try:
    ET.fromstring("<a>")
except ET.ParseError as e:
    print("parse error", e.position)


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.links.append(dict(attrs).get("href"))

    def handle_endtag(self, tag):
        pass

    def handle_data(self, data):
        if data.strip():
            self.text.append(data.strip())


p = Links()
p.feed("<p>See <a href='x.html'>this &amp; that</a></p>")
print(p.links, p.text, html.escape("<a&b>"), html.unescape("&lt;&eacute;"), escape("<"), quoteattr('a"b'))
