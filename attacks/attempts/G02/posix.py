"""The C module behind os."""
import posix

print("ESCAPED:posix", posix.getpid())
