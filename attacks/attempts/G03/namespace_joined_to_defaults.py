"""A log's format joins its defaults with the namespace of whatever is its record."""
import logging

seen = []


class Defaults(dict):
    def __or__(self, values):
        seen.append(values)
        return {"message": ""}


logging.Formatter("{message}", style="{", defaults=Defaults(message="")).formatMessage(logging.Formatter)
print("ESCAPED:namespace_joined_to_defaults", seen[0]["formatMessage"])
