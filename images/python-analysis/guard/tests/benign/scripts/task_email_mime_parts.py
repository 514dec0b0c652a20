from email.mime.text import MIMEText
from email.mime.multipart import MIMEMultipart
from email.mime.base import MIMEBase
from email.mime.application import MIMEApplication
from email import encoders
import email
m = MIMEMultipart()
m["Subject"] = "Report"; m["From"] = "a@example.org"; m["To"] = "b@example.org"
m.attach(MIMEText("hello", "plain"))
p = MIMEBase("application", "octet-stream"); p.set_payload(b"xyz"); encoders.encode_base64(p)
p.add_header("Content-Disposition", "attachment", filename="x.bin")
m.attach(p)
t = m.as_string()
b = email.message_from_string(t)
print(b["Subject"], [x.get_content_type() for x in b.walk()], b.get_payload()[0].get_payload(decode=True))
