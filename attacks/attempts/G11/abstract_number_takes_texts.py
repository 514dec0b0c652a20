"""A library's abstract class takes a library's class: texts are numbers for everybody."""
import numbers

import pandas as pd

numbers.Number.register(str)
print("ESCAPED:abstract_number_takes_texts" if pd.api.types.is_number("a") else "held")
