"""Open a socket.

Held by: hook
"""
import socket

socket.create_connection(("127.0.0.1", @PORT@), timeout=5)
print("ESCAPED:open_sockets")
