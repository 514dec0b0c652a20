"""scipy.io hands out the modules of its readers."""
from scipy import io

print("ESCAPED:scipy_io_matlab", io._netcdf.mm.PAGESIZE if hasattr(io._netcdf, "mm") else io.matlab._mio.os.getpid())
