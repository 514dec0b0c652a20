"""A log's format hands the namespace of whatever is its record to an operator of the text."""
import logging

seen = []


class Text(str):
    def __mod__(self, values):
        seen.append(values)
        return ""


logging.Formatter(Text("%(message)s"), validate=False).formatMessage(object)
print("ESCAPED:namespace_of_a_record", seen[0]["__getattribute__"])
