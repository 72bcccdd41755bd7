"""The version of the package; the binary carries the same and the two must agree."""

__version__ = "1.0.0"
