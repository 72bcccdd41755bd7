# A variable that a resume function captures and does not use, beside an attribute of that name.
import collections
Point = collections

def compute_0(x):

    def step():
        return x
    return Point().x

def main(compile, call):
    compiled_0 = compile(compute_0)
    call(compiled_0, None)
