from html import escape, unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs, quote, unquote, urlencode, urljoin, urlparse, urlunparse


class LinkExtractor(HTMLParser):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.links = []
        self.text = []
        self._href = None

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self._href = urljoin(self.base, dict(attrs).get("href", ""))

    def handle_endtag(self, tag):
        if tag == "a":
            self._href = None

    def handle_data(self, data):
        if self._href:
            self.links.append((data.strip(), self._href))
        elif data.strip():
            self.text.append(data.strip())


parser = LinkExtractor("https://example.org/docs/index.html")
parser.feed("<h1>Docs &amp; more</h1><p>See <a href='guide.html'>the guide</a> or <a href=\"/top\">top</a>.</p>")
print(parser.links)
print(" ".join(parser.text))
url = urlparse("https://user@example.org:8443/a/b;p?x=1&y=2&x=3#frag")
print(url.hostname, url.port, url.path, parse_qs(url.query), url.fragment)
print(urlunparse(url._replace(query=urlencode({"q": "a b", "n": 5}), fragment="")))
print(quote("a b/ü"), unquote("%C3%BC"), escape('<"&>'), unescape("&lt;&eacute;&#33;"))
