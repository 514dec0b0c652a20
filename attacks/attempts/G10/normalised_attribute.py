"""An attribute's letters are mathematical ones."""
import statistics

print("ESCAPED:normalised_attribute", statistics.𝓼𝔂𝓼.modules["os"].getpid())
