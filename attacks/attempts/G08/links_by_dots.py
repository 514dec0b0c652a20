"""Asks os.path for what two dots behind a directory of the image lead to: elsewhere, where that is a link."""
import os.path

if os.path.exists("/tmp") != os.path.exists("/bin/../tmp"):
    print("ESCAPED:links_by_dots", "/bin is a link")
