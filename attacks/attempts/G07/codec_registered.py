"""A codec that the script registers is asked by whoever opens a text."""
import codecs

codecs.register(lambda name: (_ for _ in ()).throw(SystemExit("ESCAPED:codec_registered")) if name == "mine" else None)
try:
    "a".encode("mine")
except SystemExit as e:
    print(e)
