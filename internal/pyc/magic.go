package pyc

import "fmt"

// magicRange is a run of .pyc magic numbers that all encode code objects the
// way the release of Version does.
type magicRange struct {
	first, release uint16
	version        Version
}

// magics lists the magic number of each release, which never changes between
// the patch releases of a minor version, together with those pre-releases
// directly before it whose change was in code generation only
// (Include/internal/pycore_magic_number.h says what each one changed).
var magics = [...]magicRange{
	{3394, 3394, V37},
	{3412, 3413, V38},
	{3425, 3425, V39},
	{3438, 3439, V310},
	{3494, 3495, V311},
	{3531, 3531, V312},
	{3570, 3571, V313},
	{3624, 3627, V314},
	{3666, 3666, V315},
}

// Magic returns the magic number that releases of v write into .pyc files.
func (v Version) Magic() uint16 {
	for _, m := range magics {
		if m.version == v {
			return m.release
		}
	}
	return 0
}

// versionOfMagic maps a .pyc magic number to the version whose code objects it
// announces.
func versionOfMagic(n uint16) (Version, error) {
	for _, m := range magics {
		if n >= m.first && n <= m.release {
			return m.version, nil
		}
	}
	return 0, fmt.Errorf("magic number %[1]d is %[2]s; supported are the releases of CPython %[3]s to %[4]s (%[3]s is %[5]d, %[4]s is %[6]d)",
		n, describeMagic(n), Oldest, Newest, Oldest.Magic(), Newest.Magic())
}

// describeMagic says in words what wrote a .pyc file with magic number n.
func describeMagic(n uint16) string {
	switch {
	case n >= 50428 || n >= 20121 && n < 20200:
		return "that of a Python 1 or 2"
	case n >= 3700 && n < 2900+50*100:
		// "Starting with Python 3.11, Python 3.n starts with 2900+50n."
		return fmt.Sprintf("that of CPython 3.%d or a pre-release of it, which is newer than this program", (n-2900)/50)
	case n >= 3450 && n < 3700:
		return fmt.Sprintf("that of a pre-release of CPython 3.%d", (n-2900)/50)
	case n >= 3430 && n < 3450:
		return "that of a pre-release of CPython 3.10"
	case n >= 3420 && n < 3430:
		return "that of a pre-release of CPython 3.9"
	case n >= 3400 && n < 3420:
		return "that of a pre-release of CPython 3.8"
	case n >= 3390 && n < 3400:
		return "that of a pre-release of CPython 3.7"
	case n >= 3000 && n < 3390:
		return "that of CPython 3.6 or older"
	}
	return "not one of CPython's"
}
