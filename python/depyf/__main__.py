"""`python -m depyf` is the command `depyf`."""

from ._cli import main

main()
