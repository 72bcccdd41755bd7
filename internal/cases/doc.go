// Package cases reads the decompiler's cases (testdata/cases) and says what they
// cover: which instructions of each CPython version some case contains, and which
// construct is shown on which version.
//
// A case is testdata/cases/TOPIC/NAME.txtar, a text file: first what it shows,
// then sections. `source.py` is Python; `versions` says where it applies (3.8-,
// 3.9-3.11 or 3.8; everywhere when it is missing); `want.py`, or for some
// versions `want-3.7-3.9.py`, is the text that must come out, the source itself
// when there is none; `open` names, a line each, the versions whose text is not
// proven yet, and why. The compiled modules are in testdata/cases/3.X.zip.
package cases
