"""Letters that become ASCII by NFKC."""
print("ESCAPED:normalised_name", __ｉｍｐｏｒｔ__("os").getpid())
