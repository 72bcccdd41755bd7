// Package jsonrpc is JSON-RPC 2.0 between two processes on a pipe: messages, the errors of one request, and the two ways in
// which protocols tell where a message ends.
//
// It knows nothing of what the messages say.
package jsonrpc
