"""A mark is written into a library's cached function, and then all else."""
import abc
import urllib.parse

abc.abstractmethod(urllib.parse.urlsplit)
print("ESCAPED:abstract_library_cache" if urllib.parse.urlsplit.__dict__.get("__isabstractmethod__") else "held")
