"""A weak proxy says that it is of the class of what it stands for."""
import weakref

import numpy as np


class Own(np.ndarray):
    pass


array = np.zeros(3).view(Own)
proxy = weakref.proxy(array)
print("ESCAPED:proxy_is_no_object_of_its_own", proxy.__array_interface__["data"])
