"""plotly writes anywhere."""
import plotly.graph_objects as go

go.Figure().write_html("@OUTSIDE@/p.html")
print("ESCAPED:plotly_write_html")
