"""raw_unicode_escape turns a comment into a line."""
# coding: raw_unicode_escape
# \u000aimport os\u000aprint("ESCAPED:coding_raw_unicode_escape", os.getpid())
