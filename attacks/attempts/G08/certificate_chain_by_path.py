"""The same by another method, read of the class."""
import requests

adapter = requests.Session().adapters["https://"]
pool = adapter.get_connection_with_tls_context(requests.Request("GET", "https://localhost/").prepare(), True)
context = pool.conn_kw["ssl_context"]
try:
    type(context).load_cert_chain(context, "@CANARY@", "@CANARY@")
except PermissionError:
    print("held")
except OSError as error:
    print("ESCAPED:certificate_chain_by_path", error.reason)
