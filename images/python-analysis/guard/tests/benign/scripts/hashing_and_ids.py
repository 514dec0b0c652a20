import base64
import hashlib
import uuid
import hmac
import secrets

def pseudonym(identifier, key=b"study-key"):
    return hmac.new(key, identifier.encode(), hashlib.sha256).hexdigest()[:10]

table = {pid: pseudonym(pid) for pid in patients["patient_id"].head(3)}
print(table)
print(hashlib.md5(b"abc").hexdigest(), hashlib.sha1(b"").hexdigest()[:8], base64.b64encode("é".encode()).decode(), base64.urlsafe_b64decode("YWI="))
print(uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"), len(str(uuid.uuid4())), len(secrets.token_hex(4)))
digest = hashlib.sha256()
digest.update((DATA / "labs.csv").read_bytes())
print(digest.hexdigest()[:16])
