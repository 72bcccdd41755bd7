// Package pyc reads and writes what CPython 3.7 to 3.15 marshals: .pyc files
// and bare code objects.
//
// Input: bytes. Output: a [Code] and its [Const] values, in one shape for
// every version, and back.
//
// Invariants of everything [Read], [ReadBytes] and [Unmarshal] return:
//
//   - no Const is nil, none is [Null], and the graph of values is acyclic
//     (values that marshal shares by reference are shared Go values);
//   - every Int has a non-nil Big; every Str is well-formed WTF-8;
//   - a Code has as many LocalsPlusKinds as LocalsPlusNames, and its arguments
//     (ArgCount, KwOnlyArgCount, *args, **kwargs) are the first VarNames.
//
// Malformed input gives an [*Error] that names the byte offset, never a panic,
// and memory use stays within a small multiple of the input size.
package pyc
