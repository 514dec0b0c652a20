"""update_wrapper writes the attributes of the script's function into a library's function."""
import functools
import pandas as pd

def mine():
    """Mine."""

mine.planted = mine
functools.update_wrapper(pd.read_csv, mine)
print("ESCAPED:wrapper_made_of_a_library_function" if pd.read_csv.planted is mine else "held", pd.read_csv.__doc__)
