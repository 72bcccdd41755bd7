// Package ask puts the questions that people have about torch.compile to what was recorded.
//
// It goes between the answers in words (package report) and whoever asks: the commands, and the server for agents.
// Both show the same sections and the same JSON; neither has an answer of its own.
package ask
