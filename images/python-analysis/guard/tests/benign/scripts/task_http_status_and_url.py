from http import HTTPStatus
from urllib.parse import urlparse, urlencode, parse_qs, quote, unquote, urljoin, urlsplit, urlunparse, parse_qsl

print(HTTPStatus.NOT_FOUND.value, HTTPStatus(200).phrase, HTTPStatus.OK == 200)
u = urlparse("https://user@example.org:8080/a/b?x=1&x=2&y=z#frag")
print(u.scheme, u.hostname, u.port, u.path, parse_qs(u.query), u.fragment, u.username)
print(urlencode({"q": "a b&c", "p": [1, 2]}, doseq=True), quote("ä/ö"), unquote("%C3%A4"), urljoin("http://x/a/b", "../c"))
print(urlunparse(u._replace(query="", fragment="")), parse_qsl("a=1&b=2"), u.geturl())


class Router:
    def __init__(self):
        self.routes = {}

    def route(self, path, methods=("GET",)):
        def deco(f):
            for m in methods:
                self.routes[m, path] = f
            return f
        return deco

    def dispatch(self, method, url):
        parts = urlsplit(url)
        handler = self.routes.get((method, parts.path))
        if handler is None:
            return HTTPStatus.NOT_FOUND, "nothing here"
        return HTTPStatus.OK, handler(**dict(parse_qsl(parts.query)))


app = Router()


@app.route("/hello", methods=["GET", "POST"])
def hello(name="world"):
    return f"hello {name}"


for m, u in [("GET", "/hello?name=ann"), ("POST", "/hello"), ("PUT", "/hello")]:
    status, body = app.dispatch(m, u)
    print(int(status), status.name, body)
