"""statsmodels.iolib's unpickler."""
import io
import statsmodels.iolib as iolib

print("ESCAPED:statsmodels_iolib", iolib.smpickle.load_pickle(io.BytesIO(b"cposix\ngetpid\n(tR.")))
