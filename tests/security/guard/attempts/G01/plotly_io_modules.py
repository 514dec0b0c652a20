"""plotly.io hands out modules that keep os."""
import plotly.io as pio

print("ESCAPED:plotly_io_modules", pio._renderers.os.getpid() if hasattr(pio, "_renderers") else pio._orca.os.getpid())
