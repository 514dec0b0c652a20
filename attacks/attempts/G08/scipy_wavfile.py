"""scipy writes sound anywhere."""
import numpy as np
from scipy import io

io.wavfile.write("@OUTSIDE@/s.wav", 8000, np.zeros(4, dtype="i2"))
print("ESCAPED:scipy_wavfile")
