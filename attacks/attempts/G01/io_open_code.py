"""io opens files three ways."""
import io

print("ESCAPED:io_open_code" if io.open_code("@CANARY@").read().startswith(b"canary:") else "held")
