"""A form feed resets the indentation.

Bytes: escaped
"""
if False:
    pass
<<0c>>import os
    <<0c>>print("ESCAPED:form_feed", os.getpid())
