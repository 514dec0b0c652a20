from email.message import EmailMessage
from email import policy
from email.parser import BytesParser, Parser
from email.utils import formataddr, parseaddr, formatdate
m = EmailMessage()
m["Subject"] = "Weekly counts"
m["From"] = formataddr(("Ward", "ward@example.org"))
m["To"] = "team@example.org"
m.set_content("Seven new cases.\n")
m.add_alternative("<p>Seven</p>", subtype="html")
m.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="c.csv")
print(m["Subject"], m.get_content_type(), m.is_multipart())
for part in m.walk(): print(part.get_content_type(), part.get_filename())
raw = bytes(m)
back = BytesParser(policy=policy.default).parsebytes(raw)
print(back["From"], back.get_body(preferencelist=("plain",)).get_content())
print(parseaddr(back["From"]))
