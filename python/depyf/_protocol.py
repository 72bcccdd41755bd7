# Packets between the Python package and the Go program; python/depyf/_protocol.py
# and internal/service/packet.go open with this same comment, and
# docs/protocol.md says what the commands mean.
#
#   packet  length u32 | id u32 | value        length counts id and value
#   id      (request number << 1) | is_response
#   value   kind u8 | body
#
#   kind  body
#   0     nil    nothing
#   1     bool   u8, 0 or 1
#   2     int    int64
#   3     float  the eight bytes of an IEEE 754 double
#   4     str    u32 length, UTF-8 in which lone surrogates are encoded too
#   5     bytes  u32 length, the bytes
#   6     list   u32 count, the values
#   7     map    u32 count, then a str body and a value each, in order of key
#
# Everything is little endian. An integer outside int64 travels as the map
# {"t": "int", "v": "-0x1f"}: hexadecimal, because decimal is slow and limited.
# A packet is shorter than 512 MiB, which tells any stray text from one; values
# nest at most 500 deep; a reader allocates no more than the bytes at hand justify.
"""Encoding of packets: see the comment above."""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any

PROTOCOL = 1
MAX_PACKET = (1 << 29) - 1
MAX_DEPTH = 500

_U32 = struct.Struct("<I")
_HEAD = struct.Struct("<II")
_INT = struct.Struct("<Bq")
_FLOAT = struct.Struct("<Bd")
_SIZED = struct.Struct("<BI")


class PipeError(Exception):
    """The child is gone, too slow, or talks nonsense."""


class ProtocolError(Exception):
    """The other side sent bytes that are no packet."""


def pack(number: int, is_response: bool, value: Any) -> bytes:
    """Return one whole packet, its length included."""
    body = bytearray(8)
    _encode(body, value, 0)
    if len(body) > MAX_PACKET:
        raise ValueError("packet of %d bytes is too large" % len(body))
    _HEAD.pack_into(body, 0, len(body) - 4, (number << 1 | is_response) & 0xFFFFFFFF)
    return bytes(body)


def encode(value: Any) -> bytes:
    """Return the encoding of one value."""
    out = bytearray()
    _encode(out, value, 0)
    return bytes(out)


def _encode(out: bytearray, v: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ValueError("value nests too deep for a packet")
    # By the exact type first, the frequent ones at the top: every event passes here.
    kind = type(v)
    if kind is str:
        text = v.encode("utf-8", "surrogatepass")
        out += _SIZED.pack(4, len(text))
        out += text
    elif v is None:
        out.append(0)
    elif kind is dict:
        out += _SIZED.pack(7, len(v))
        for key in sorted(v):
            out += _keys.get(key) or _key(key)
            _encode(out, v[key], depth + 1)
    elif kind is list or kind is tuple:
        out += _SIZED.pack(6, len(v))
        for item in v:
            _encode(out, item, depth + 1)
    elif kind is bool:
        out += b"\x01\x01" if v else b"\x01\x00"
    elif kind is int:
        if -(1 << 63) <= v < 1 << 63:
            out += _INT.pack(2, v)
        else:
            _encode(out, {"t": "int", "v": hex(v)}, depth)
    elif kind is float:
        out += _FLOAT.pack(3, v)
    elif isinstance(v, (bytes, bytearray, memoryview)):
        out += _SIZED.pack(5, len(v))
        out += v
    else:
        _encode(out, _plain(v), depth)


def _plain(v: Any) -> Any:
    """Return what a value is by itself whose class derives from a kind's, such as a torch.Size or an enum's member."""
    if isinstance(v, str):
        return str.__str__(v)
    if isinstance(v, int):
        return int.__int__(v)
    if isinstance(v, float):
        return float.__float__(v)
    if isinstance(v, (list, tuple)):
        return list(v)
    if isinstance(v, dict):
        return dict(v)
    raise TypeError("a packet cannot hold a %s" % type(v).__name__)


# Names of fields as packets have them: few, and each is sent a thousand times.
_keys: dict[str, bytes] = {}


def _key(key: str) -> bytes:
    text = key.encode("utf-8", "surrogatepass")
    data = _U32.pack(len(text)) + text
    if len(_keys) < 200:
        _keys[key] = data
    return data


def decode_packet(body: bytes) -> tuple[int, bool, Any]:
    """Split what follows the length into request number, response bit and value."""
    if len(body) < 5:
        raise ProtocolError("packet of %d bytes is too short" % len(body))
    ident = _U32.unpack_from(body)[0]
    return ident >> 1, bool(ident & 1), decode(body, 4)


def decode(data: bytes, start: int = 0) -> Any:
    """Return the value that fills data from start to its end."""
    try:
        value, end = _decode(data, start, 0)
    except (struct.error, IndexError, UnicodeDecodeError) as e:
        raise ProtocolError("malformed value: %s" % e) from None
    if end != len(data):
        raise ProtocolError("%d bytes too many after a value" % (len(data) - end))
    return value


def _decode(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_DEPTH:
        raise ProtocolError("value nests too deep")
    kind = data[at]
    if kind == 0:
        return None, at + 1
    if kind == 1:
        return data[at + 1] != 0, at + 2
    if kind == 2:
        return _INT.unpack_from(data, at)[1], at + 9
    if kind == 3:
        return _FLOAT.unpack_from(data, at)[1], at + 9
    if kind > 7:
        raise ProtocolError("unknown kind %d" % kind)
    n = _U32.unpack_from(data, at + 1)[0]
    at += 5
    if n > len(data) - at:
        raise ProtocolError("%d announced, %d bytes left" % (n, len(data) - at))
    if kind == 4:
        return data[at : at + n].decode("utf-8", "surrogatepass"), at + n
    if kind == 5:
        return data[at : at + n], at + n
    if kind == 6:
        items = []
        for _ in range(n):
            item, at = _decode(data, at, depth + 1)
            items.append(item)
        return items, at
    table = {}
    for _ in range(n):
        size = _U32.unpack_from(data, at)[0]
        at += 4
        if size > len(data) - at:
            raise ProtocolError("key of %d bytes, %d left" % (size, len(data) - at))
        key = data[at : at + size].decode("utf-8", "surrogatepass")
        table[key], at = _decode(data, at + size, depth + 1)
    return table, at
