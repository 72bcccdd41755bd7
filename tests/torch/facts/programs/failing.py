"""Compilations that fail: the call raises, or the function stays as it is; or the backward pass raises."""

import torch
from torch._dynamo.backends.common import aot_autograd


def refusing(gm, inputs):
    raise RuntimeError("this backend refuses\n  with two lines and a | in them")


def uncompilable(gm, inputs):
    """What Inductor says where its C++ does not compile names files in its cache."""
    cache = "/tmp/torchinductor_somebody"
    raise RuntimeError("g++ %s/2x/c2x.main.cpp -include %s/precompiled_headers/cyf.h: error" % (cache, cache))


def forward_only():
    return aot_autograd(fw_compiler=lambda gm, inputs: gm, bw_compiler=refusing)


def sine(x):
    return x.sin() + 1


def tangent(x):
    return x.tan() + 1


def talking(x):
    print("not in a full graph")
    return x.cos()


def mismatched(x, y):
    return x @ y + 1


def looping(x):
    for i in range(2):
        print(i)
        x = x + i
    return x


def asserting(x):
    assert x.sum() > 100, "too small"
    return x + 1


def empty(x):
    return x


def main(backend):
    for fn, options, args in (
        (sine, {"backend": refusing}, (torch.ones(3),)),
        (tangent, {"backend": uncompilable}, (torch.ones(3),)),
        (talking, {"backend": backend, "fullgraph": True}, (torch.ones(3),)),
        (mismatched, {"backend": backend}, (torch.ones(3, 4), torch.ones(3, 4))),
        (looping, {"backend": backend}, (torch.ones(3),)),
        (asserting, {"backend": backend}, (torch.ones(3),)),
        (empty, {"backend": backend}, (torch.ones(3),)),
        (sine, {"backend": backend}, (torch.ones(3),)),
    ):
        try:
            torch.compile(fn, **options)(*args)
        except Exception as e:
            print(type(e).__name__)
    scaled = torch.compile(lambda x: x.sin().sum(), backend=forward_only())
    for size in (3, 3, 4):
        try:
            scaled(torch.ones(size, requires_grad=True)).backward()
        except Exception as e:
            print(type(e).__name__)
