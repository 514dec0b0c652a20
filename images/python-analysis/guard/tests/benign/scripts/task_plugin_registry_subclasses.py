from abc import ABC, abstractmethod
from typing import ClassVar


class Exporter(ABC):
    format: ClassVar[str]

    @classmethod
    def for_format(cls, name):
        for sub in cls.__subclasses__():
            if sub.format == name:
                return sub()
        raise LookupError(f"no exporter for {name}; have {sorted(s.format for s in cls.__subclasses__())}")

    @abstractmethod
    def export(self, rows): ...


class CsvExporter(Exporter):
    format = "csv"

    def export(self, rows):
        return "\n".join(",".join(map(str, r.values())) for r in rows)


class JsonExporter(Exporter):
    format = "json"

    def export(self, rows):
        import json
        return json.dumps(rows)


rows = [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
print(Exporter.for_format("csv").export(rows))
print(Exporter.for_format("json").export(rows))
try:
    Exporter.for_format("xml")
except LookupError as e:
    print(e)
print(Exporter.__abstractmethods__, CsvExporter.mro()[1].__name__, [c.__name__ for c in CsvExporter.__mro__])
