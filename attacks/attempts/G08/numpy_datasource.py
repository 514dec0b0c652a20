"""numpy's DataSource downloads."""
import numpy as np

print("ESCAPED:numpy_datasource" if "canary:" in np.lib.npyio.DataSource(str(OUTPUT)).open("http://127.0.0.1:@PORT@/x").read() else "held")
