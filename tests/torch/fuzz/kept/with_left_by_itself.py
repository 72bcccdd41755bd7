# A break at the end of a with statement: the resume function enters it once more and leaves it by the original's
# own call of __exit__. Its text put all that follows into the statement, and lost the handler that captures m.
import torch


def make(w, m=2):
    def inner(x, s):
        with torch.no_grad():
            x = x.detach().float().clone()
            print("a")
        try:
            print(s)
            if w.sum() > 30:
                return x, 2
        except ZeroDivisionError:
            print(1)
        except:
            print(m)
        return x * w

    return inner


def nested(w):
    def inner(x, n):
        with torch.no_grad(), torch.enable_grad():
            x = [x * 2, *map(torch.neg, [print(n) or x])][1]
        for i in range(n):
            x = x + w
        return x

    return inner


def main(compile, call):
    call(compile(make(torch.ones(3))), torch.ones(3), "s")
    call(compile(nested(torch.ones(3))), torch.ones(3), 2)
