//go:build !linux

package main

func workInBatches() {}
