import plistlib, mimetypes, urllib.parse, http
from http import HTTPStatus
b = plistlib.dumps({"a": 1, "b": [True, "x"]}); print(plistlib.loads(b), b[:20])
print(mimetypes.guess_type("a.csv"), mimetypes.guess_extension("text/html"))
print(urllib.parse.urlparse("http://a.b/c?d=1#e"), urllib.parse.quote("a b"), urllib.parse.parse_qs("a=1&a=2"), HTTPStatus.NOT_FOUND.phrase, HTTPStatus(200).name)
