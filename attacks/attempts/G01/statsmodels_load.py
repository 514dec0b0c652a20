"""statsmodels' api.load is an unpickler."""
import statsmodels.api as sm

(OUTPUT / "p").write_bytes(b"cposix\ngetpid\n(tR.")
print("ESCAPED:statsmodels_load", sm.load(str(OUTPUT / "p")))
