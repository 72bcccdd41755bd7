package live

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/thuml/depyf/internal/card"
)

//go:embed assets
var assets embed.FS

var shell = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(assets, "assets/live.tmpl.html"))
})

// Server shows the page to browsers on this machine.
type Server struct {
	dir   string
	token string
	hub   *hub
	http  *http.Server
	ln    net.Listener
}

// Listen opens a server for a dump folder at a port of the loopback address; 0 takes any that is free.
func Listen(dir string, port int) (*Server, error) {
	ln, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	s := &Server{dir: dir, token: hex.EncodeToString(secret), hub: newHub(Watch(dir)), ln: ln}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 14}
	return s, nil
}

// URL is the address of the page, with the token.
func (s *Server) URL() string { return fmt.Sprintf("http://%s/%s/", s.ln.Addr(), s.token) }

// Serve answers until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { _ = s.http.Close() })
	defer stop()
	s.http.BaseContext = func(net.Listener) context.Context { return ctx }
	if err := s.http.Serve(s.ln); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	token, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case !ours(r.Host), !sameOrigin(r):
		http.Error(w, "This server answers its own page only.", http.StatusForbidden)
		return
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
		http.Error(w, "The address lacks the token that depyf serve has printed.", http.StatusForbidden)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "There is nothing to change here.", http.StatusMethodNotAllowed)
		return
	}
	switch path {
	case "":
		h.Set("Content-Type", "text/html; charset=utf-8")
		_ = shell().Execute(w, s.dir) // a reader who has gone needs no page
	case "live.css":
		s.asset(w, "text/css", card.Style(), "assets/live.css")
	case "live.js":
		s.asset(w, "text/javascript", "", "assets/live.js")
	case "events":
		s.events(w, r)
	case "page":
		s.page(w, r)
	default:
		http.Error(w, "There is no such page.", http.StatusNotFound)
	}
}

// ours reports whether a request was sent to this machine by a name that cannot mean another. A page of another site whose
// name has come to lead here (DNS rebinding) sends that name. The port may be another's, where it is forwarded.
func ours(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	return name == "127.0.0.1" || strings.EqualFold(name, "localhost")
}

// sameOrigin reports whether a request comes from the page itself, if a script has sent it.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

func (s *Server) asset(w http.ResponseWriter, kind, before, name string) {
	data, err := assets.ReadFile(name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = w.Write(append([]byte(before), data...))
}

// events tells the page what there is, and what has changed since, as server-sent events.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	out, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "This connection cannot be kept open.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	all, changes := s.hub.join()
	defer s.hub.leave(changes)
	if send(w, "all", all) != nil {
		return
	}
	out.Flush()
	for {
		select {
		case <-r.Context().Done():
			return
		case changed, ok := <-changes:
			if !ok || send(w, "some", changed) != nil {
				return
			}
			out.Flush()
		}
	}
}

func send(w http.ResponseWriter, name string, list []Process) error {
	if list == nil {
		list = []Process{}
	}
	data, err := json.Marshal(list) // on one line, as an event's data has to be
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	return err
}

// page is a report, which brings its own style and script: it may run them and nothing else.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	text, ok, err := s.hub.page(r.URL.Query().Get("of"))
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case !ok:
		http.Error(w, "There is no such process.", http.StatusNotFound)
	default:
		w.Header().Del("Cross-Origin-Opener-Policy") // browsers refuse it in a sandbox
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}
}
