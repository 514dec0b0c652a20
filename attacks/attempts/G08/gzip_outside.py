"""gzip opens the path that it is given."""
import gzip

with gzip.open("@OUTSIDE@/g.gz", "wb") as file:
    file.write(b"x")
print("ESCAPED:gzip_outside")
