"""The guard's own modules, by the table of all."""
import statistics

print("ESCAPED:guard_by_modules", statistics.sys.modules["hotcell_guard.vetting._rules"].DENIED_BUILTINS)
