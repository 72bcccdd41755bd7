"""Import what torch needs to compile a function, so that Python keeps it compiled."""

import torch
import torch._dynamo
import torch._inductor.compile_fx

torch.compile(lambda x: (x * 2).sum(), backend="aot_eager")(torch.ones(3, requires_grad=True))
