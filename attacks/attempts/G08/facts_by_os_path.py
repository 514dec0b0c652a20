"""Asks os.path about a file outside, in every way."""
import os.path

PATH = "@CANARY@"
for ask in (os.path.getsize, os.path.getmtime, os.path.exists, os.path.isfile, os.path.lexists):
    try:
        answer = ask(PATH)
    except OSError:
        continue
    if answer:
        print("ESCAPED:facts_by_os_path", answer)
        break
