"""The method of a library's class that the guard calls when it reports is the script's."""
import pathlib


def walk(self, *arguments, **options):
    print("ESCAPED:library_function_replaced")
    return []


type(OUTPUT).iterdir = walk
list(OUTPUT.iterdir())
