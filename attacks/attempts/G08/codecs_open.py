"""codecs opens a file by itself."""
import codecs

with codecs.open("@CANARY@", "r", "utf-8") as file:
    print("ESCAPED:codecs_open", file.read())
