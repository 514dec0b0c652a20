"""Write frames to the protocol's descriptor, which is found by trying: a forged report.

Held by: absence
"""
import json
import os

report = {
    "outcome": "completed", "error": None, "limit": "", "violations": [], "result": "ESCAPED:frames_by_number",
    "charts": [], "files": [], "truncated": {"stdout": False, "stderr": False},
}
text = json.dumps(report).encode()
for number in range(3, 64):
    try:
        os.write(number, b"R" + len(text).to_bytes(4, "big") + text)
    except OSError as error:
        refused = error if error.errno != 9 else refused if "refused" in dir() else error
raise refused
