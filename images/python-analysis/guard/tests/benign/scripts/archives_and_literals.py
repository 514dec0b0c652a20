"""Compressed files, archives, literals, encodings, and small formats."""
import ast
import bz2
import codecs
import gzip
import io
import ipaddress
import json
import lzma
import shlex
import tomllib
import zipfile
from html.entities import name2codepoint
from json.decoder import JSONDecodeError
from pathlib import Path

folder = Path("/tmp") / "archives"
folder.mkdir(exist_ok=True)
for module, name in ((gzip, "a.gz"), (bz2, "a.bz2"), (lzma, "a.xz")):
    with module.open(folder / name, "wt", encoding="utf-8") as file:
        file.write("age,sex\n63,f\n")
    with module.open(folder / name, "rt", encoding="utf-8") as file:
        print(name, file.readlines())
with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("in/one.txt", "1" * 100)
    archive.write(folder / "a.gz", "a.gz")
with zipfile.ZipFile(folder / "a.zip") as archive:
    print(sorted(archive.namelist()), archive.read("in/one.txt")[:3], archive.testzip())
    archive.extractall(folder / "out")
print((folder / "out" / "in" / "one.txt").stat().st_size, zipfile.is_zipfile(io.BytesIO(b"no")))
print(ast.literal_eval("{'a': [1, 2.5, None], 'b': (True, -3)}"))
try:
    ast.literal_eval("__import__('os')")
except ValueError as e:
    print(type(e).__name__)
with codecs.open(str(folder / "latin.txt"), "w", encoding="latin-1") as file:
    file.write("Grüße")
print(codecs.open(str(folder / "latin.txt"), "r", "latin-1").read(), codecs.decode(b"\xef\xbb\xbfx", "utf-8-sig"), codecs.encode("abc", "rot13"))
try:
    json.loads("{1}")
except JSONDecodeError as e:
    print(e.msg, e.pos)
print(tomllib.loads("[study]\narms = 2\nnames = ['a', 'b']"), shlex.split("run --name 'a b'"), chr(name2codepoint["eacute"]))
print(ipaddress.ip_address("10.1.2.3") in ipaddress.ip_network("10.0.0.0/8"))
