"""An accessor of pandas takes the place of a method that is there already."""
import warnings
import pandas as pd

warnings.simplefilter("ignore")


class Mine:
    def __init__(self, frame):
        self.frame = frame

    def __call__(self, *args):
        return "replaced"


pd.api.extensions.register_dataframe_accessor("to_dict")(Mine)
if pd.DataFrame({"a": [1]}).to_dict() == "replaced":
    print("ESCAPED:accessor_replaces_method")
