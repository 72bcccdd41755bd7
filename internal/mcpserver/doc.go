// Package mcpserver gives agents the answers of package ask, over the Model Context Protocol.
//
// Every tool is a view: words for whoever reads them, and the JSON form of docs/json.md as structured content. Invariants:
//
//   - Nothing is read outside of the folders that were named when the server was started, links followed, and nothing is written.
//   - Whatever a tool cannot do is an error of that call, in words that say what to do; the server goes on.
//   - One call is answered at a time, and what a log comes to is kept until the log changes.
package mcpserver
