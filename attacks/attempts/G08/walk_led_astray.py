"""Changes the names that os.walk goes down to, so that it goes up."""
import os

os.mkdir("below")
for top, directories, names in os.walk(".", followlinks=True):
    if "canary.txt" in names:
        print("ESCAPED:walk_led_astray", top)
        break
    if top == ".":
        directories[:] = ["@OUTSIDE@", os.path.relpath("@OUTSIDE@"), "below/../" + os.path.relpath("@OUTSIDE@")]
