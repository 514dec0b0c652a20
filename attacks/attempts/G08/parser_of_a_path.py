"""A path leads to os.path itself, which tells of any file."""
import pathlib

parser = pathlib.Path("/x").parser
print("ESCAPED:parser_of_a_path", parser.getsize("/etc/passwd"))
