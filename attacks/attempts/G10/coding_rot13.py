"""An encoding whose letters lie on one another: ISO 8859-7's and UTF-8's differ in a string."""
# coding: iso-8859-7
names = {"<<c3a9>>": "os"}
print("ESCAPED:coding_rot13", __import__(names["<<c3a9>>"]).getpid())
