package mcpserver

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/thuml/depyf/internal/recorded"
)

// store reads what clients name, and keeps what it has read until it changes.
type store struct {
	roots roots
	kept  []kept // the latest last
}

// kept is what one path has come to.
type kept struct {
	path     string
	stamps   []stamp
	sessions []recorded.Session
}

// stamp is what a file looks like from outside.
type stamp struct {
	file string
	size int64
	time time.Time
}

// keep is how many paths are remembered: two are compared with each other.
const keep = 4

// read reads what lies at a path, the newest there is for "".
func (s *store) read(path string) (real string, list []recorded.Session, err error) {
	if path == "" {
		if real, err = s.newest(); err != nil {
			return "", nil, err
		}
	} else if real, err = s.roots.find(path); err != nil {
		return "", nil, err
	}
	stamps, err := s.stamps(real)
	if err != nil {
		return "", nil, err
	}
	i := slices.IndexFunc(s.kept, func(k kept) bool { return k.path == real })
	if i >= 0 {
		k := s.kept[i]
		s.kept = slices.Delete(s.kept, i, i+1)
		if slices.Equal(k.stamps, stamps) {
			s.kept = append(s.kept, k)
			return real, k.sessions, nil
		}
	}
	if list, err = recorded.Read(real); err != nil {
		return "", nil, err
	}
	if len(list) == 0 {
		return "", nil, fmt.Errorf("%s holds no session", real)
	}
	s.kept = append(s.kept[max(0, len(s.kept)-keep+1):], kept{real, stamps, list})
	return real, list, nil
}

// stamps are those of the files that reading a path opens. A link among them may not lead out either.
func (s *store) stamps(path string) ([]stamp, error) {
	files, err := recorded.Files(path)
	if err != nil {
		return nil, err
	}
	var out []stamp
	for _, f := range files {
		if f, err = s.roots.follow(f); err != nil {
			return nil, err
		}
		st, err := os.Stat(f)
		if err != nil {
			return nil, err
		}
		out = append(out, stamp{f, st.Size(), st.ModTime()})
	}
	return out, nil
}

// newest is the path of what was recorded last.
func (s *store) newest() (string, error) {
	list, _, err := s.find(s.roots)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", errors.New("nothing is recorded in " + strings.Join(s.roots.names(), ", ") + `; "depyf run --out dump program.py" records a program`)
	}
	return list[0].Path, nil
}

// find lists what is recorded in folders, the newest first.
func (s *store) find(in roots) (list []recorded.Found, all bool, err error) {
	all = true
	for _, r := range in {
		found, whole, err := recorded.Find(r.real)
		if err != nil {
			return nil, false, err
		}
		all = all && whole
		for _, f := range found {
			if !slices.ContainsFunc(list, func(o recorded.Found) bool { return o.Path == f.Path }) {
				list = append(list, f)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b recorded.Found) int { return b.Changed.Compare(a.Changed) })
	return list, all, nil
}

// process is the session of one process, all of them for "".
func process(list []recorded.Session, name string) ([]recorded.Session, error) {
	if name == "" {
		return list, nil
	}
	var names []string
	for _, s := range list {
		if s.Name == name {
			return []recorded.Session{s}, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("there is no process %q; there is %s", name, strings.Join(names, ", "))
}
