"""An object answers by the script's code what its class is; meanwhile the name gets another object."""
import io

import numpy as np
import pandas as pd


class Own:
    pass


class Answers:
    def __getitem__(self, key):
        global thing
        thing = pd.DataFrame({"a": [1]})
        return Own


archive = io.BytesIO()
np.savez(archive, a=1)
archive.seek(0)
answers = Answers()
thing = type(np.load(archive).f)(answers)
found = thing._mgr
if found is Own:  # nobody has asked for the class
    found = thing._mgr
print("ESCAPED:class_answered_by_code", type(found).__name__)
