"""patsy hands out modules that keep sys and six."""
import patsy

print("ESCAPED:patsy_modules", patsy.util.sys.modules["os"].getpid())
