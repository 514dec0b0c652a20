"""The parser shows a line of the file that a text is said to come from."""
import ast

try:
    ast.parse("a b", "/etc/passwd")
except SyntaxError as error:
    if "root" in error.text:
        print("ESCAPED:parser_reads_a_line", error.text)
