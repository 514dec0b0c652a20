"""plotly reads any file."""
import plotly.io as pio

try:
    pio.read_json("@CANARY@")
except ValueError as error:
    print("ESCAPED:plotly_read_json" if "canary:" in getattr(error, "doc", "") else "held", type(error).__name__)
