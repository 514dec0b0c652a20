"""io's own classes, one above the other."""
import io

text = io.TextIOWrapper(io.BufferedReader(io.FileIO("@CANARY@"))).read()
print("ESCAPED:io_text_wrapper" if text.startswith("canary:") else "held")
