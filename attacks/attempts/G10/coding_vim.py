"""vim's form of the cookie.

Bytes: escaped
"""
# vim: set fileencoding=utf-7 :
# +AAo-import os+AAo-print("ESCAPED:coding_vim", os.getpid())
