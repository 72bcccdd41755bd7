// Package lower compiles a Python syntax tree to the version-free instructions of
// internal/bytecode, as the compiler of one CPython version would before it optimises.
//
// Input: a pyast.Module as it is printed, and a version. Output: the module's code object and,
// for it and each code object inside of it, a bytecode.Func. The code objects carry what
// equiv.Compare looks at (names, flags, counts, variables, the docstring) and no bytes. What
// has no Python (a Hole, a Verbatim) is an error.
//
// It exists for the proof where no interpreter of the version is at hand: decompile compares
// the code object with what its tree is lowered to. The comparison ignores the order and the
// duplication of blocks, NOPs and how a test is spelt, so no optimisation is imitated but
// those that change operations: constants that are folded, tuples that are never made,
// f-strings in the place of `%`. What this cannot show is that the text, parsed, gives the
// tree: the printer's tests do.
//
// How it works, in the compiler's own order (Python/symtable.c, Python/compile.c, from 3.14
// on Python/codegen.c):
//
//   - scope.go and the visit files make the symbol table: which names a block binds, and where
//     each of them lives;
//   - unit.go holds the code object being made, names.go its variables; the other files each
//     make one kind of expression or statement;
//   - assemble.go puts a code object together: variables, the cells that open it, jumps;
//     handlers.go makes the exception table, unbound.go marks the loads that may raise.
//
// Invariants:
//
//   - What a version does differently is asked of pyc.Version's predicates.
//   - Nothing is guessed from the code object that the tree came from: a tree gives the same
//     instructions whatever it is compared with.
//   - A tree that the package does not understand is an error, never wrong code: what it makes
//     wrong differs from the original, and the proof fails.
package lower
