"""A hard link in the output directory to a file outside."""
link = OUTPUT / "link"
link.hardlink_to("@CANARY@")
print("ESCAPED:pathlib_hard_link" if link.read_text().startswith("canary:") else "held")
