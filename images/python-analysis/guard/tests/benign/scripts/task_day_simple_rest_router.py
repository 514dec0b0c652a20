"""A toy router: decorators, regular expressions, middleware and JSON responses."""
import functools
import json
import re
import traceback
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Callable


@dataclass
class Request:
    method: str
    path: str
    body: Any = None
    headers: dict = field(default_factory=dict)


@dataclass
class Response:
    status: HTTPStatus = HTTPStatus.OK
    body: Any = None

    def __str__(self):
        return f"{self.status.value} {self.status.phrase}: {json.dumps(self.body, sort_keys=True)}"


class HTTPError(Exception):
    def __init__(self, status, message=""):
        super().__init__(message or status.phrase)
        self.status = status


class App:
    def __init__(self):
        self.routes: list[tuple[str, re.Pattern, Callable]] = []
        self.middleware: list[Callable] = []

    def route(self, pattern, methods=("GET",)):
        regex = re.compile("^" + re.sub(r"<(\w+)(?::(\w+))?>", lambda m: rf"(?P<{m[1]}>{'[0-9]+' if m[2] == 'int' else '[^/]+'})", pattern) + "$")

        def decorator(func):
            for method in methods:
                self.routes.append((method, regex, func))
            return func
        return decorator

    def use(self, func):
        self.middleware.append(func)
        return func

    def _dispatch(self, request):
        for method, regex, func in self.routes:
            if (m := regex.match(request.path)):
                if method != request.method:
                    continue
                result = func(request, **m.groupdict())
                return result if isinstance(result, Response) else Response(body=result)
        raise HTTPError(HTTPStatus.NOT_FOUND)

    def __call__(self, request):
        handler = self._dispatch
        for layer in reversed(self.middleware):
            handler = functools.partial(layer, handler)
        try:
            return handler(request)
        except HTTPError as e:
            return Response(e.status, {"error": str(e)})
        except Exception as e:
            last = traceback.extract_tb(e.__traceback__)[-1]
            return Response(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": type(e).__name__, "where": last.name})


app = App()
DB = {1: {"name": "scale"}, 2: {"name": "lamp"}}


@app.use
def authenticate(nxt, request):
    if request.method != "GET" and request.headers.get("token") != "t":
        raise HTTPError(HTTPStatus.UNAUTHORIZED, "token please")
    return nxt(request)


@app.route("/items")
def items(request):
    return list(DB.values())


@app.route("/items/<id:int>")
def item(request, id):
    try:
        return DB[int(id)]
    except KeyError as e:
        raise HTTPError(HTTPStatus.NOT_FOUND, f"no item {e.args[0]}") from None


@app.route("/items", methods=["POST"])
def create(request):
    DB[max(DB) + 1] = request.body
    return Response(HTTPStatus.CREATED, {"id": max(DB)})


@app.route("/crash")
def crash(request):
    return 1 / len(())


for req in (Request("GET", "/items"), Request("GET", "/items/2"), Request("GET", "/items/9"), Request("POST", "/items", {"name": "cup"}),
            Request("POST", "/items", {"name": "cup"}, {"token": "t"}), Request("GET", "/crash"), Request("GET", "/nothing")):
    print(req.method, req.path, "->", app(req))
print([f"{m} {r.pattern} {f.__name__}" for m, r, f in app.routes])
