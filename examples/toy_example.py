"""The program that the documentation explains.

Run it and look into the folder dump_src_dir; index.md says where to start.
"""

import torch


@torch.compile
def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def main():
    for _ in range(100):
        toy_example(torch.randn(10), torch.randn(10))


if __name__ == "__main__":
    import depyf

    with depyf.prepare_debug("./dump_src_dir"):
        main()

    # Then step through what was dumped:
    # with depyf.debug():
    #     main()
