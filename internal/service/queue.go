package service

import (
	"bufio"
	"io"
	"sync"
)

// queue is a list that one goroutine fills and another empties. It has no bound:
// the reader must never wait for a handler that itself waits for the reader.
type queue[T any] struct {
	mu     sync.Mutex
	wake   sync.Cond
	items  []T
	closed bool
}

func newQueue[T any]() *queue[T] {
	q := &queue[T]{}
	q.wake.L = &q.mu
	return q
}

func (q *queue[T]) put(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.items = append(q.items, item)
		q.wake.Signal()
	}
}

func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake.Signal()
}

// take returns everything that waits; false after close, when nothing is left.
func (q *queue[T]) take() ([]T, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.wake.Wait()
	}
	items := q.items
	q.items = nil
	return items, len(items) > 0
}

// outbox owns the writing end: packets go out whole, in the order they were put.
type outbox struct {
	packets *queue[Packet]
	done    chan struct{}
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{packets: newQueue[Packet](), done: make(chan struct{})}
	go o.run(bufio.NewWriterSize(w, 1<<16))
	return o
}

func (o *outbox) put(p Packet) { o.packets.put(p) }

func (o *outbox) close() {
	o.packets.close()
	<-o.done
}

func (o *outbox) run(w *bufio.Writer) {
	defer close(o.done)
	var buf []byte
	for {
		packets, more := o.packets.take()
		if !more {
			return
		}
		for _, p := range packets {
			var err error
			if buf, err = AppendPacket(buf[:0], p); err != nil {
				// An answer that cannot be encoded still needs an answer.
				buf, _ = AppendPacket(buf[:0], Packet{
					Number: p.Number, Response: p.Response,
					Value: map[string]any{"error": err.Error()},
				})
			}
			if _, err := w.Write(buf); err != nil {
				// Nobody reads any more; the reader will see the end too.
				continue
			}
		}
		_ = w.Flush()
	}
}
