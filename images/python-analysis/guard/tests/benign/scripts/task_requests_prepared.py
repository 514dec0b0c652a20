"""Build requests without sending them; there may be no network."""
import json
from urllib.parse import urlencode

import requests

session = requests.Session()
session.headers.update({"User-Agent": "demo/1.0"})
req = requests.Request("POST", "https://api.example.org/items", params={"page": 2}, json={"name": "x"}, headers={"X-Token": "t"})
prepared = session.prepare_request(req)
print(prepared.method, prepared.url)
print(json.loads(prepared.body), prepared.headers["Content-Type"], prepared.headers["X-Token"])
print(urlencode({"q": "a b", "tags": ["x", "y"]}, doseq=True))
print(requests.codes.not_found, requests.codes.ok)
try:
    requests.Request("GET", "not a url").prepare()
except requests.exceptions.MissingSchema as e:
    print("MissingSchema:", str(e).split(":")[0])
try:
    response = requests.get("http://127.0.0.1:9/nothing", timeout=0.5)
    print(response.status_code)
except requests.exceptions.RequestException as e:
    print("no connection, using the cached answer")
    data = {"items": [1, 2, 3]}
print(sum(data["items"]))
