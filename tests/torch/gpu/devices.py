"""Work on both sides: tensors that come from the CPU and go back, streams, events that are waited for."""

import torch


def there_and_back(x):
    y = x.to("cuda").exp()
    return (y / y.sum()).cpu()


def beside(x, stream):
    with torch.cuda.stream(stream):
        y = x @ x
    torch.cuda.current_stream().wait_stream(stream)
    return y + x


def waited(x):
    start, end = torch.cuda.Event(), torch.cuda.Event()
    start.record()
    y = x.sin() @ x
    end.record()
    torch.cuda.synchronize()
    return y + 1


def either(x):
    return x * torch.arange(x.shape[0], device=x.device)


def main(backend):
    torch.manual_seed(0)
    compiled = [torch.compile(f, backend=backend) for f in (there_and_back, beside, waited, either)]
    for n in (16, 17):
        x = torch.randn(n, n)
        compiled[0](x)
        compiled[1](x.cuda(), torch.cuda.Stream())
        compiled[2](x.cuda())
        compiled[3](x[0])
        compiled[3](x[0].cuda())
