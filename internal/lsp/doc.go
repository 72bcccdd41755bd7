// Package lsp shows in an editor what became of the user's lines: a language server over what was recorded.
//
// It follows the newest dump in or below some folders. Diagnostics are graph breaks, recompilations, failures and wrong numbers; lenses
// count the versions of a function; a hover and "go to" lead to the transformed code, the graphs and the kernels of a line.
//
// Invariants:
//
//   - A line is marked only where the text in the editor is the text that was compiled, which the dump keeps. Where it is not, one
//     diagnostic says so.
//   - One goroutine owns all state (Server.Serve); one beside it reads messages, one reads a dump. Neither waits for the client.
//   - Nothing is written but messages.
package lsp
