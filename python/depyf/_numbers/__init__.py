"""Where numbers go wrong: eager, compiled and a float64 reference in step.

What is compared is a captured graph, or a *segment* of one: some of its operations in a
row, with the values and gradients that eager has at both ends. A segment that differs
is halved until one operation is left.

This package measures. Who is wrong, and how that is said, is decided by the Go program
(internal/answers/wrong.go), for what is printed as for the dump.
"""

from .._torch import hooks

# The oldest torch on which it is tested: in 2.2 other random numbers reach the program, and
# results whose true value is zero count as apart.
OLDEST = (2, 6)


def supported() -> None:
    """Raise an error that says so if this torch is too old."""
    if hooks.version() < OLDEST:
        raise RuntimeError(
            "comparing numbers needs torch %d.%d or later; this is torch %d.%d" % (OLDEST + hooks.version())
        )
