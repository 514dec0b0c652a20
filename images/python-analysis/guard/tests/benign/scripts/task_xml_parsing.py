import xml.etree.ElementTree as ET

XML = """<?xml version="1.0"?>
<catalog>
  <book id="b1" lang="en"><title>First</title><price currency="EUR">12.50</price><tags><tag>x</tag><tag>y</tag></tags></book>
  <book id="b2"><title>Second &amp; last</title><price currency="USD">8.00</price></book>
</catalog>"""

root = ET.fromstring(XML)
for book in root.findall("book"):
    price = book.find("price")
    tags = [t.text for t in book.iterfind("tags/tag")]
    print(book.get("id"), book.get("lang", "-"), book.findtext("title"), float(price.text), price.attrib["currency"], tags)
print("total:", sum(float(p.text) for p in root.iter("price")))

new = ET.SubElement(root, "book", id="b3")
ET.SubElement(new, "title").text = "Third"
root.find("book[@id='b1']/title").text = "Renamed"
root.remove(root.findall("book")[1])
print(ET.tostring(root, encoding="unicode").count("<book"), [b.get("id") for b in root])
ET.indent(root)
tree = ET.ElementTree(root)
tree.write("catalog.xml", encoding="utf-8", xml_declaration=True)
print(open("catalog.xml", encoding="utf-8").readline().strip())
try:
    ET.fromstring("<a><b></a>")
except ET.ParseError as e:
    print("ParseError at", e.position)
