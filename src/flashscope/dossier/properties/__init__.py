"""What can be said about a drive: each property once, with the findings that tell it."""

from flashscope.dossier.properties.catalogue import PROPERTIES, properties_of, property_of
from flashscope.dossier.properties.property import Group, Property, Source

__all__ = ["PROPERTIES", "Group", "Property", "Source", "properties_of", "property_of"]
