package jsonrpc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
)

// Message is a request (with an id), a notification (without), or a response (without a method).
type Message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Failure        `json:"error,omitempty"`
}

// Failure is an error of one request.
type Failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *Failure) Error() string { return f.Message }

// Codes of failures.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)

// maxMessage bounds what is read into memory: an editor sends whole files.
const maxMessage = 64 << 20

// Framing is a way to tell messages on a stream apart.
type Framing int

// Ways to tell messages apart.
const (
	Headers Framing = iota // a Content-Length before each, as in the Language Server Protocol
	Lines                  // a line each, as in the Model Context Protocol
)

// Read reads one message. An error of the type *Failure is one message's alone; after any other the stream is of no use.
func (f Framing) Read(r *bufio.Reader) (Message, error) {
	var m Message
	var body []byte
	var err error
	if f == Headers {
		body, err = withHeader(r)
	} else {
		body, err = line(r)
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, &Failure{ParseError, "the message is no JSON-RPC: " + err.Error()}
	}
	return m, nil
}

func withHeader(r *bufio.Reader) ([]byte, error) {
	head, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil || n < 0 || n > maxMessage {
		return nil, fmt.Errorf("a message has the Content-Length %q", head.Get("Content-Length"))
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	return body, nil
}

// line reads the next line that is not empty.
func line(r *bufio.Reader) ([]byte, error) {
	var body []byte
	for {
		part, err := r.ReadSlice('\n')
		body = append(body, part...)
		switch {
		case len(body) > maxMessage:
			return nil, fmt.Errorf("a message is longer than %d MiB", maxMessage>>20)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return nil, err // half a message is none
		}
		for _, b := range body {
			if b != ' ' && b != '\r' && b != '\n' && b != '\t' {
				return body, nil
			}
		}
		body = body[:0]
	}
}

// Write writes one message.
func (f Framing) Write(w io.Writer, m Message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if f == Headers {
		_, err = fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(body), body)
	} else {
		_, err = w.Write(append(body, '\n'))
	}
	return err
}

// Decode reads the parameters of a request.
func Decode[T any](data json.RawMessage) (T, error) {
	var p T
	if len(data) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, &Failure{InvalidParams, "the parameters cannot be read: " + err.Error()}
	}
	return p, nil
}

// Reply is the response to a request: an answer, or why there is none.
func Reply(m Message, answer any, err error) Message {
	r := Message{ID: m.ID}
	if err == nil {
		r.Result, err = json.Marshal(answer)
	}
	if err != nil {
		r.Result = nil
		if !errors.As(err, &r.Error) {
			r.Error = &Failure{InternalError, err.Error()}
		}
	}
	return r
}

// Input is what Listen passes on.
type Input struct {
	Message
	Err error
}

// Listen reads messages on a goroutine of its own until the stream is of no use, or until done is closed.
func (f Framing) Listen(in io.Reader, done <-chan struct{}) <-chan Input {
	inputs := make(chan Input)
	go func() {
		r := bufio.NewReaderSize(in, 1<<16)
		for {
			m, err := f.Read(r)
			select {
			case inputs <- Input{m, err}:
			case <-done:
				return
			}
			var one *Failure
			if err != nil && !errors.As(err, &one) {
				return
			}
		}
	}()
	return inputs
}
