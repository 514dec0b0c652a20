import xml.etree.ElementTree as ET
from collections import defaultdict
from io import StringIO
from xml.sax.saxutils import escape
import textwrap

XML = """<?xml version="1.0"?>
<results lab="West" xmlns:q="urn:quality">
  <sample id="s1"><analyte name="Na" unit="mmol/L">139</analyte><analyte name="K" unit="mmol/L">4.1</analyte></sample>
  <sample id="s2" q:flag="late"><analyte name="Na" unit="mmol/L">128</analyte><note>low &amp; checked</note></sample>
</results>"""

root = ET.fromstring(XML)
print(root.tag, root.attrib, len(root))
values = defaultdict(dict)
for sample in root.iterfind("sample"):
    for analyte in sample.findall("analyte"):
        values[sample.get("id")][analyte.get("name")] = float(analyte.text)
print(dict(values))
print(root.findtext("./sample[@id='s2']/note"), root.find("sample[2]").attrib, root.find("nothing") is None)
out = ET.Element("summary", {"n": str(len(values))})
for sid, row in values.items():
    el = ET.SubElement(out, "s", id=sid)
    el.text = ",".join(f"{k}={v:g}" for k, v in row.items())
ET.indent(out)
print(ET.tostring(out, encoding="unicode"))
tree = ET.ElementTree(out)
tree.write("summary.xml", encoding="utf-8", xml_declaration=True)
print(ET.parse("summary.xml").getroot()[0].text, escape("a<b"))
for event, elem in ET.iterparse(StringIO(XML), events=("start", "end")):
    if event == "end" and elem.tag == "note":
        print(event, elem.text)
try:
    ET.fromstring("<a><b></a>")
except ET.ParseError as e:
    print("ParseError", e.position)
print(textwrap.shorten("a long line of text", 12, placeholder="…"))
