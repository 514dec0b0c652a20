"""pandas hands its manager to what a class with the name of another library's makes of it."""
import pandas as pd

kept = []


class GeoDataFrame(pd.DataFrame):
    @property
    def _constructor(self):
        return lambda made: kept.append(made) or pd.DataFrame(made)


try:
    GeoDataFrame({"a": [1, 2]}).head(1)
finally:
    print("ESCAPED:table_called_like_anothers" if hasattr(kept[0], "blocks") else "held")
