"""A class pattern reads an attribute by keyword."""
match print:
    case object(__self__=found):
        print("ESCAPED:match_keyword", found.__name__)
