from pypdf import PdfReader, PdfWriter
import io
w = PdfWriter()
w.add_blank_page(width=200, height=100); w.add_blank_page(width=50, height=80)
w.add_metadata({"/Title": "Ward round", "/Author": "Night shift"})
w.add_outline_item("first", 0)
with open("o.pdf", "wb") as f: w.write(f)
w.write("p.pdf")
b = io.BytesIO(); w.write(b); b.seek(0)
for src in ("o.pdf", b, open("p.pdf", "rb")):
    r = PdfReader(src)
    print(len(r.pages), r.metadata.title, r.metadata.author, r.pages[0].mediabox.width, r.pages[1].mediabox.height, repr(r.pages[0].extract_text()), r.is_encrypted, [o.title for o in r.outline], r.metadata)
from pathlib import Path
r = PdfReader(Path("o.pdf")); p = r.pages[0]; p.rotate(90)
w2 = PdfWriter(); w2.append(r); w2.add_page(p); w2.pages[0].scale_by(2); w2.merge(0, "p.pdf"); 
w2.write("q.pdf"); print(len(PdfReader("q.pdf").pages), PdfReader("q.pdf").pages[-1].rotation)
try: PdfReader(io.BytesIO(b"nothing here"))
except Exception as e: print(type(e).__name__, e)
