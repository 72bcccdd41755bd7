package main

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/thuml/depyf/internal/service"
)

// Every thread of the service works in batches, those that are made later too.
func TestServiceWorksInBatches(t *testing.T) {
	if os.Getenv("DEPYF_TEST_SERVICE") != "" {
		os.Exit(dispatch([]string{"service"}, os.Stdin, os.Stdout, os.Stderr))
	}
	if policy(0) != schedOther {
		t.Skip("somebody has chosen a policy for this process")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestServiceWorksInBatches$")
	cmd.Env = append(os.Environ(), "DEPYF_TEST_SERVICE=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		_ = cmd.Wait()
	}()
	hello, err := service.AppendPacket(nil, service.Packet{Number: 1, Value: map[string]any{
		"cmd": "hello", "protocol": int64(service.Protocol), "version": service.Version, "python": []any{int64(3), int64(13)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(hello); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/task")
	if err != nil || len(tasks) < 2 {
		t.Fatalf("%d threads, %v", len(tasks), err)
	}
	for _, task := range tasks {
		tid, _ := strconv.Atoi(task.Name())
		if p := policy(tid); p != schedBatch {
			t.Errorf("thread %d has policy %d", tid, p)
		}
	}
}
