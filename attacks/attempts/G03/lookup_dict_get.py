"""requests' LookupDict.get, called with a class of somebody else, reads its namespace by any name."""
import requests

get = type(requests.codes).get
reader = get(object, "__getattribute__")
names = reader(requests.Session.get, "__globals__")
print("ESCAPED:lookup_dict_get", names["os"].getpid())
