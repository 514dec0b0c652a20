"""An identifier in full width letters is os after normalisation."""
import ｏｓ

print("ESCAPED:full_width", ｏｓ.getpid())
