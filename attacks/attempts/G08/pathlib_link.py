"""A link in the output directory to a file outside."""
link = OUTPUT / "link"
link.symlink_to("@CANARY@")
print("ESCAPED:pathlib_link" if link.read_text().startswith("canary:") else "held")
