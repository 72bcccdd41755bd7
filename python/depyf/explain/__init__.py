"""Module paths of older versions, which other projects import from."""
