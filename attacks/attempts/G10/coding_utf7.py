"""A coding comment: the code is in UTF-7, where a comment is none."""
# coding: utf-7
# +AAo-import os+AAo-print("ESCAPED:coding_utf7", os.getpid())
