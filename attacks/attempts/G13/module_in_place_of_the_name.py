"""A property rebinds the name while its object is asked for its class; then a module is changed."""
import json

import numpy as np
import statsmodels.api as sm

Results = type(sm.OLS(np.arange(5.0), np.ones(5)).fit())


class Own(Results):
    @property
    def _results(self):
        global thing
        thing = json
        return 1


thing = Results.__new__(Own)
str(thing.__class__)
thing.dumps = 42
if json.dumps == 42:
    print("ESCAPED:module_in_place_of_the_name")
