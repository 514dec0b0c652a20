"""An archive is unpacked where nothing may be written."""
import io
import zipfile

file = io.BytesIO()
with zipfile.ZipFile(file, "w") as archive:
    archive.writestr("unpacked", "x")
with zipfile.ZipFile(file) as archive:
    archive.extractall("@OUTSIDE@/archive")
print("ESCAPED:archive_unpacked_outside")
