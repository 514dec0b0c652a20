"""Change the process's limits.

Held by: absence
"""
import resource

soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))
print("ESCAPED:raise_limits")
