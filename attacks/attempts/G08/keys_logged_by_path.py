"""OpenSSL writes keys to a file that C opens: the event has a mode and no flags."""
import requests

adapter = requests.Session().adapters["https://"]
pool = adapter.get_connection_with_tls_context(requests.Request("GET", "https://localhost/").prepare(), True)
pool.conn_kw["ssl_context"].keylog_filename = str(DATA / "keys.txt")
print("ESCAPED:keys_logged_by_path")
