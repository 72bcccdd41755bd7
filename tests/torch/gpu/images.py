"""A network for images: channels last, half precision with a scaled loss, then evaluation; a smaller last batch."""

import torch


class Residual(torch.nn.Module):
    def __init__(self, width, stride=1):
        super().__init__()
        self.first = torch.nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.norm = torch.nn.BatchNorm2d(width)
        self.second = torch.nn.Conv2d(width, width, 3, 1, 1)
        self.stride = stride

    def forward(self, x):
        y = self.second(torch.relu(self.norm(self.first(x))))
        if self.stride > 1:
            x = torch.nn.functional.avg_pool2d(x, self.stride)
        if not torch.isfinite(y).all():
            raise ValueError("not finite")
        return torch.relu(x + y)


def main(backend):
    torch.manual_seed(0)
    layers = [torch.nn.Conv2d(3, 16, 7, 2, 3), Residual(16), Residual(16, 2), torch.nn.AdaptiveAvgPool2d(1)]
    network = torch.nn.Sequential(*layers, torch.nn.Flatten(), torch.nn.Linear(16, 10))
    network = network.to("cuda", memory_format=torch.channels_last)
    compiled = torch.compile(network, backend=backend)
    optimizer = torch.optim.SGD(network.parameters(), 0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    for batch in (8, 8, 3):
        images = torch.randn(batch, 3, 32, 32).to("cuda", memory_format=torch.channels_last, non_blocking=True)
        with torch.autocast("cuda", torch.float16):
            loss = torch.nn.functional.cross_entropy(compiled(images), torch.arange(batch, device="cuda"))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    network.eval()
    with torch.inference_mode():
        compiled(images).softmax(-1).amax(-1).cpu()
