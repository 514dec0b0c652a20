"""A library's cached function is taken for a cache around the script's, and becomes what it wraps."""
import functools
import urllib.parse


def mine():
    """Mine."""


mine.cache_clear = lambda: print("ESCAPED:wrapper_of_a_library_cache")
functools.update_wrapper(urllib.parse.urlsplit, mine)
urllib.parse.urlsplit.cache_clear()
