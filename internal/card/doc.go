// Package card shows what a session comes to in the little room that a notebook's cell or a live page has.
//
// It is a view, like package report: the sections that "depyf explain" prints, as text and as a piece of HTML, and for a
// notebook the whole page folded away below them.
//
// Invariants:
//
//   - All that comes from a session is escaped: a card is put into other pages.
//   - A card loads nothing. Its style applies to nothing around it, and takes its colours from there: notebooks are light or dark,
//     whatever the system is.
//   - The page is in a frame of its own that may not reach the notebook (a sandbox), and nothing of it is
//     rendered before it is opened.
//   - Without styles, where a site shows a notebook's output without them, the card can be read.
package card
