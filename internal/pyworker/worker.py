# The CPython half of package pyworker: see doc.go for the frames.
# It runs unchanged on 3.7 and everything after, and executes nothing it is given.
# What it imports is there already or costs nothing: os, struct and importlib.util take
# as long as ten functions take to compile.
import gc
import marshal
import sys
import warnings
from _frozen_importlib_external import MAGIC_NUMBER

try:
    from posix import dup, dup2
except ImportError:
    from nt import dup, dup2

warnings.simplefilter("ignore")
gc.disable()

# Nothing but frames may reach the pipe.
pipe_in = open(dup(0), "rb")
pipe_out = open(dup(1), "wb")
dup2(2, 1)


def number(data):
    return int.from_bytes(data, "little")


def send(*parts):
    pipe_out.write(sum(map(len, parts)).to_bytes(4, "little"))
    for part in parts:
        pipe_out.write(part)
    pipe_out.flush()


def serve(request):
    form, flags, name_len = request[0], number(request[1:5]), number(request[5:9])
    source = request[9 + name_len :]
    name = request[9 : 9 + name_len].decode("utf-8", "surrogatepass")
    if not form & 1:
        text = source.decode("utf-8", "surrogatepass")
        source = text.encode("utf-8", "backslashreplace").decode("utf-8")
    mode = "eval" if form & 2 else "single" if form & 4 else "exec"
    return marshal.dumps(compile(source, name, mode, flags=flags, dont_inherit=True, optimize=-1))


def main():
    magic = number(MAGIC_NUMBER[:2])
    send(b"depyf-worker", b"%d %d %d" % (sys.version_info[0], sys.version_info[1], magic))
    while True:
        head = pipe_in.read(4)
        if len(head) < 4:
            return
        length = number(head)
        request = pipe_in.read(length)
        if len(request) < length:
            return
        try:
            status, answer = b"\0", serve(request)
        except Exception as e:
            text = "%s: %s" % (type(e).__name__, e)
            status, answer = b"\1", text.encode("utf-8", "backslashreplace")
        send(status, answer)


main()
