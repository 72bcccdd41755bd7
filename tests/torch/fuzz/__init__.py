"""Random programs as the referee: does watching change anything, and is every frame proven?

A seed makes the text of a program (`program`); the text is run three times in forked children of one
process (`children`): plainly, compiled, and compiled and watched. What a run shows is written down in
each child (`observe`), and the three are compared (`judge`). What differs is grouped by cause
(`causes`), shrunk (`shrink`) and counted (`tally`).

Invariants: a seed gives the same text on every Python and at every time (`chance`); every program ends
and is deterministic; nothing that fails is left out of the count, a child that dies or hangs least of all.
"""
