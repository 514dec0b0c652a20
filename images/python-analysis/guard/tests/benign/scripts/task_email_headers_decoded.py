import email
from email.header import decode_header, make_header, Header
from email.utils import parsedate_to_datetime, getaddresses
t = "From: A <a@x.org>\nTo: b@x.org, C <c@x.org>\nDate: Mon, 02 Nov 2020 10:00:00 +0000\nSubject: =?utf-8?q?caf=C3=A9?=\n\nbody text\n"
m = email.message_from_string(t)
print(str(make_header(decode_header(m["Subject"]))), getaddresses([m["To"]]), parsedate_to_datetime(m["Date"]))
print(m.items(), m.get_payload())
