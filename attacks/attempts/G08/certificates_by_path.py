"""requests leads to a context of OpenSSL, which opens any file by itself."""
import requests

adapter = requests.Session().adapters["https://"]
pool = adapter.get_connection_with_tls_context(requests.Request("GET", "https://localhost/").prepare(), True)
context = pool.conn_kw["ssl_context"]
try:
    context.load_verify_locations("@CANARY@")
except PermissionError:
    print("held")
except OSError as error:
    print("ESCAPED:certificates_by_path", error.reason)  # no certificate is in it: it has been read
