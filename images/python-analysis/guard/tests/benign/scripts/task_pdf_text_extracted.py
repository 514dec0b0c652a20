import io
from pypdf import PdfReader
import matplotlib; matplotlib.use("Agg")
body = b"BT /F1 24 Tf 20 50 Td (Seven cases) Tj ET"
objs = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>", b"<< /Length %d >>\nstream\n" % len(body) + body + b"\nendstream", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
out = b"%PDF-1.4\n"; at = []
for i, o in enumerate(objs, 1): at.append(len(out)); out += b"%d 0 obj\n" % i + o + b"\nendobj\n"
x = len(out); out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % a for a in at) + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % x
r = PdfReader(io.BytesIO(out)); print(r.pages[0].extract_text(), r.pages[0].extract_text(extraction_mode="layout").strip(), r.get_num_pages() if hasattr(r, "get_num_pages") else len(r.pages))
for page in r.pages: print(page.extract_text().split(), page.get("/Type"), page["/MediaBox"])
def visit(text, cm, tm, font, size): print(repr(text), tm[4], size)
r.pages[0].extract_text(visitor_text=visit)
