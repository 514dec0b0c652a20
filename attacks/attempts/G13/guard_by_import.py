"""The guard's own modules, by their name."""
import hotcell_guard.vetting._rules as rules

print("ESCAPED:guard_by_import", rules.DENIED_BUILTINS)
