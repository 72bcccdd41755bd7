"""Two files of one base name; the graph breaks in one of them."""

import os
import sys

import torch


def main(backend):
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    try:
        from far import model as far
        from near import model as near
    finally:
        del sys.path[0]
    torch.compile(near.forward, backend=backend)(torch.ones(3), far.inner)
    torch.compile(far.inner, backend=backend)(torch.ones(3))
