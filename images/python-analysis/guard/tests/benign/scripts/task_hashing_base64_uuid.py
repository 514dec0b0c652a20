import base64
import binascii
import hashlib
import hmac
import uuid

text = "The quick brown fox jumps over the lazy dog"
for name in ("md5", "sha1", "sha256", "blake2b"):
    print(f"{name:<8}", hashlib.new(name, text.encode()).hexdigest()[:32])

encoded = base64.b64encode(text.encode())
print(encoded.decode())
print(base64.b64decode(encoded).decode() == text, base64.urlsafe_b64encode(b"\xff\xfe?").decode(), base64.b32encode(b"hi").decode())
print(binascii.hexlify(b"abc").decode(), bytes.fromhex("616263"), b"abc".hex(":"))
try:
    base64.b64decode("abc", validate=True)
except binascii.Error as e:
    print("binascii.Error:", e)

signature = hmac.new(b"secret", text.encode(), hashlib.sha256).hexdigest()
print(hmac.compare_digest(signature, hmac.new(b"secret", text.encode(), "sha256").hexdigest()), signature[:16])
print(uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"), uuid.UUID(int=1), len(str(uuid.uuid4())), uuid.uuid4().version)

digest = hashlib.sha256()
with open("blob.bin", "wb") as f:
    f.write(bytes(range(256)) * 64)
with open("blob.bin", "rb") as f:
    while chunk := f.read(4096):
        digest.update(chunk)
print(digest.hexdigest()[:16], digest.digest_size)
derived = hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 1000).hex()
print(derived[:20])
