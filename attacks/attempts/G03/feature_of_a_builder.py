"""What builds documents of XML tells its features by names of attributes."""
from xml.dom import minidom

builder = minidom.Document().implementation.createDOMBuilder(1, None)
print("ESCAPED:feature_of_a_builder", builder.getFeature("__reduce_ex__")(2)[0], builder.getFeature("__dict__"))
