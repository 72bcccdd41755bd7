# The first error that the program formats is one frame more: whether notes are a sequence is asked and remembered once.
import traceback

def f(x):
    print('k')
    traceback.format_exc()
    return x + 1

def main(compile, call):
    compiled_0 = compile(f)
    call(compiled_0, None)
