"""A Series holds the mark of the script's classes as a label: its private attributes are read."""
import pandas as pd

MARK = "_abc_(mark of the classes that the script defines)"


class A:
    def read(self):
        return self._mgr


found = A.read(pd.Series([True], index=[MARK], dtype=object))
print("ESCAPED:series_with_mark", type(found))
