"""A form feed before the comment that holds the cookie.

Bytes: escaped
"""
<<0c>># coding=utf-7
# +AAo-import os+AAo-print("ESCAPED:coding_form_feed", os.getpid())
