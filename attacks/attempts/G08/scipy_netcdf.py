"""scipy maps NetCDF files, which it creates."""
from scipy import io

io.netcdf_file("@OUTSIDE@/n.nc", "w").close()
print("ESCAPED:scipy_netcdf")
