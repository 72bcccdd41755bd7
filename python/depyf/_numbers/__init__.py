"""Where numbers go wrong: eager, compiled and a float64 reference in step.

What is compared is a captured graph, or a *segment* of one: some of its operations in a
row, with the values and gradients that eager has at both ends. A segment that differs
is halved until one operation is left.

This package measures. Who is wrong, and how that is said, is decided by the Go program
(internal/answers/wrong.go), for what is printed as for the dump.
"""
