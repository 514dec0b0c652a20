"""Fetch exchange rates, falling back to built-in values when offline."""
import json

try:
    import requests
except ImportError:
    requests = None

FALLBACK = {"EUR": 1.0, "USD": 1.08, "GBP": 0.86}


def get_rates(url="https://api.invalid.example/rates"):
    try:
        response = requests.get(url, timeout=2)
        response.raise_for_status()
        return response.json()["rates"]
    except Exception as e:
        print("Falling back to stored rates")
        return FALLBACK


def convert(amount, src, dst, rates):
    return round(amount / rates[src] * rates[dst], 2)


rates = get_rates()
for src, dst in [("EUR", "USD"), ("GBP", "EUR")]:
    print(src, "->", dst, convert(100, src, dst, rates))
print(json.dumps(rates, sort_keys=True))
