class PluginMeta(type):
    plugins = {}

    def __new__(mcs, name, bases, namespace, **kwargs):
        cls = super().__new__(mcs, name, bases, namespace)
        if bases:
            key = kwargs.get("key", name.lower())
            mcs.plugins[key] = cls
        return cls

    def __init__(cls, name, bases, namespace, **kwargs):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args, **kwargs):
        instance = super().__call__(*args, **kwargs)
        instance.created_by = cls.__name__
        return instance

    def __iter__(cls):
        return iter(sorted(cls.plugins))

    def __len__(cls):
        return len(cls.plugins)


class Exporter(metaclass=PluginMeta):
    extension = ""

    def export(self, rows):
        raise NotImplementedError(f"{type(self).__name__}.export")


class CsvExporter(Exporter, key="csv"):
    """Comma separated values."""
    extension = ".csv"

    def export(self, rows):
        return "\n".join(",".join(map(str, r)) for r in rows)


class MarkdownExporter(Exporter, key="md"):
    """Markdown table."""
    extension = ".md"

    def export(self, rows):
        head, *body = rows
        lines = ["| " + " | ".join(map(str, r)) + " |" for r in (head, ["---"] * len(head), *body)]
        return "\n".join(lines)


class Broken(Exporter):
    pass


rows = [("id", "value"), (1, 2.5), (2, None)]
for key in Exporter:
    plugin = PluginMeta.plugins[key]()
    try:
        print(f"[{key}] {plugin.__doc__} {plugin.extension} by {plugin.created_by}")
        print(plugin.export(rows))
    except NotImplementedError as e:
        print("not implemented:", e)
print(len(Exporter), type(Exporter).__name__, isinstance(CsvExporter, PluginMeta), issubclass(CsvExporter, Exporter))
Singleton = type("Singleton", (), {"_instance": None, "__new__": lambda cls, *a: cls._instance or setattr(cls, "_instance", object.__new__(cls)) or cls._instance})
print(Singleton() is Singleton(), Singleton.__name__, [c.__name__ for c in Exporter.__subclasses__()])
