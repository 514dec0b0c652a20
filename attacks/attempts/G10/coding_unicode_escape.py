"""unicode_escape makes names out of numbers."""
# coding: unicode_escape
\x69\x6d\x70\x6f\x72\x74 \x6f\x73
print("ESCAPED:coding_unicode_escape", \x6f\x73.getpid())
