"""Markup and line ends where names, keys and messages are."""

import torch

KEY = "</script>`<b>|\n\\ '\" %s é\udc80"


def keyed(x, key=KEY):
    table = {KEY: 2, key: 3}
    y = x * table[key]
    print("<b>|`", len(key))
    return y + 1


def main(backend):
    torch.compile(keyed, backend=backend)(torch.ones(3))
    torch.compile(keyed, backend=backend)(torch.ones(3), key="\"'><svg>")
    names = {"torch": torch}
    exec(compile("def g(x):\n  print(1)\n  return x+1\n", "<img src=x>.py", "exec"), names)
    torch.compile(names["g"], backend=backend)(torch.ones(2))
    odd = names["g"].__code__.replace(co_name="</script><b>")
    names["g"].__code__ = odd
    torch.compile(names["g"], backend=backend)(torch.ones(5))
