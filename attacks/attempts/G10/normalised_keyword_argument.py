"""A keyword argument that is a special name."""


def f(**names):
    return names


print("ESCAPED:normalised_keyword_argument", type("A", (), f(__ｍodule__="os")).__module__)
