// What belongs together: lines of the program, of transformed code, of graphs and of kernels. Pointing at a line lights what
// belongs to it; a click or Enter keeps it, and a bar lists it, text by text, whether these texts are open or not.
function joinedLines(page) {
  "use strict";
  const all = page.all, make = page.make;
  const left = document.querySelector(".left"), wide = () => left && getComputedStyle(left).position === "sticky";

  // A line has the places of the program that it comes from, and keys: the operations that it is or computes, by graph, pass and name.
  const texts = [], lineAt = new Map(), textAt = new Map(); // by elements
  function index(text, lines) {
    text.lines = lines;
    text.byPlace = new Map();
    text.byKey = new Map();
    const note = (map, key, line) => { if (map.has(key)) map.get(key).push(line); else map.set(key, [line]); };
    lines.forEach((line, i) => {
      line.owner = text;
      line.nth = i;
      line.places.forEach((p) => note(text.byPlace, p, line));
      line.keys.forEach((k) => note(text.byKey, k, line));
    });
  }
  function shownText(pre, kind) { // one whose lines are on the page
    const text = { root: pre, kind, label: pre.getAttribute("aria-label"), loaded: Promise.resolve(), opened: true };
    index(text, all(".l[data-s]", pre).map((element, row) => {
      const line = { row, element, places: element.dataset.s.split("\t"), keys: [], spaces: [] };
      lineAt.set(element, line);
      return line;
    }));
    textAt.set(pre, text);
    texts.push(text);
  }
  function packedText(root) {
    const d = root.dataset;
    const places = new Set((d.p ? d.p.split(",") : []).flatMap((n) => page.places[n].split("\t")));
    const graph = root.closest(".graph"), name = root.querySelector("summary").firstChild.textContent.trim();
    texts.push({ root, kind: d.kind || "", graph: d.graph || "", pass: d.pass || "", places, label: d.kind === "guards" ? "guard" : graph ? name : root.querySelector("small").textContent });
  }
  all("pre.source").forEach((pre) => shownText(pre, "source"));
  all("pre.code").forEach((pre) => shownText(pre, "code"));
  all("details[data-t]").forEach(packedText);
  const packed = new Map(texts.filter((t) => !t.loaded).map((t) => [t.root, t]));

  function load(text) {
    if (!text.loaded) text.loaded = page.text(text.root).then((t) => index(text, linesOf(text, t)));
    return text.loaded;
  }
  function linesOf(text, t) {
    const content = t.t.split("\n"), rows = new Map(), from = t.m || [];
    const at = (row) => {
      if (!rows.has(row)) rows.set(row, { row, content: content[row], places: [], keys: [], spaces: [] });
      return rows.get(row);
    };
    for (let run = 0, row = 0; run < from.length; row += from[run], run += 2)
      if (from[run + 1] >= 0) for (let i = 0; i < from[run]; i++) at(row + i).places = page.places[from[run + 1]].split("\t");
    let row = 0;
    const dynamo = text.graph + "|d|", aten = text.graph + "|" + text.pass + "|";
    for (const n of t.n || []) {
      row += n.r;
      for (let i = 0; i < (n.k || 1); i++) {
        const line = at(row + i);
        line.call = n.c;
        const add = (names, space) => {
          if (!names) return;
          names.split(" ").forEach((name) => line.keys.push(space + name));
          line.spaces.push(space);
        };
        add(n.n, aten);
        add(n.d, dynamo);
        line.computes = text.kind === "kernel" && n.n;
      }
    }
    return Array.from(rows.values()).filter((line) => line.content.trim()).sort((a, b) => a.row - b.row);
  }
  // filled is told when a text stands on the page: its lines, by their rows.
  async function filled(root, elements) {
    const text = packed.get(root);
    await load(text);
    text.lines.forEach((line) => {
      line.element = elements[line.row];
      if (line.element) lineAt.set(line.element, line);
    });
    textAt.set(elements[0].closest("pre"), text);
    text.opened = true;
    light(lit);
  }

  // Lines belong together by their operations where both have such of one graph, and by the lines of the program else: an operation
  // of the 3rd layer is not that of the 4th, though both come from one line. What a kernel computes is known exactly.
  function belong(a, b) {
    if (a.keys.length && b.keys.length) {
      if (a.keys.some((k) => b.keys.includes(k))) return true;
      if (a.computes || b.computes || a.spaces.some((s) => b.spaces.includes(s))) return false;
    } else if (a.keys.length && b.owner.byKey.size || b.keys.length && a.owner.byKey.size) return false; // a comment
    return a.places.some((p) => b.places.includes(p));
  }
  function related(line, text) {
    const found = new Set();
    line.keys.forEach((k) => (text.byKey.get(k) || []).forEach((l) => found.add(l)));
    line.places.forEach((p) => (text.byPlace.get(p) || []).forEach((l) => { if (belong(line, l)) found.add(l); }));
    found.delete(line);
    return Array.from(found).sort((a, b) => a.row - b.row);
  }
  const mayHave = (text, line) => text.opened || line.places.some((p) => text.places.has(p)) || line.keys.length > 0 && text.graph === line.owner.graph;

  let hits = [], lit = null, pinned = null;
  function light(line) {
    hits.forEach((e) => e.classList.remove("hit"));
    hits = [];
    lit = line;
    if (!line) return;
    if (line.element) hits.push(line.element);
    texts.forEach((t) => { if (t.opened) related(line, t).forEach((l) => { if (l.element) hits.push(l.element); }); });
    hits.forEach((e) => e.classList.add("hit"));
  }

  // The bar: what belongs to the line that is kept. Lines of graphs that others repeat are not listed.
  const kinds = {
    source: "line of source|lines of source", code: "line of transformed code|lines of transformed code",
    dynamo: "operation as Dynamo recorded it|operations as Dynamo recorded them", graph: "operation as compiled|operations as compiled",
    kernel: "kernel call|kernel calls", guards: "guard|guards",
  };
  const listed = 4; // of a kind; a button goes through all
  async function belonging(line, only) {
    const wanted = texts.filter((t) => t.kind in kinds && (!only || t.kind === only) && mayHave(t, line));
    await Promise.all(wanted.map(load));
    const groups = [];
    for (const kind in kinds) {
      const tells = (l) => (kind === "kernel" ? l.call : kind === "dynamo" || kind === "graph" ? l.keys.length : kind !== "code" || !contentOf(l).startsWith("#"));
      const lines = wanted.filter((t) => t.kind === kind).flatMap((t) => related(line, t)).filter(tells);
      if (lines.length) groups.push({ kind, lines });
    }
    return groups;
  }
  const wording = (g) => g.lines.length + " " + kinds[g.kind].split("|")[g.lines.length === 1 ? 0 : 1];
  const contentOf = (l) => (l.content !== undefined ? l.content : Array.from(l.element.childNodes).filter((n) => n.nodeName !== "SMALL").map((n) => n.textContent).join("")).trim();
  const nameOf = (l) => (l.owner.kind === "source" ? l.places[0] : (l.owner.graph ? l.owner.graph + " " : "") + l.owner.label + (l.content !== undefined ? " line " + (l.row + 1) : ""));
  const bar = make("div", "joined");
  bar.hidden = true;
  bar.setAttribute("role", "region");
  bar.setAttribute("aria-label", "What belongs to the line");
  document.body.append(bar);
  function button(className, text, act) {
    const b = make("button", className, text);
    b.type = "button";
    b.addEventListener("click", act);
    return b;
  }
  function fillBar(line, groups) {
    const head = make("p"), lists = make("div", "lists");
    const said = make("span", "", groups.length ? groups.map(wording).join(" · ") : "nothing else on this page belongs to it");
    said.setAttribute("role", "status");
    head.append(button("home", "↩ " + nameOf(line), () => go(line)), " ", said, " ", button("close", "✕ Esc", unpin));
    groups.forEach((g) => {
      const list = make("div", "list"), state = make("small");
      let at = -1;
      const next = button("next", wording(g) + " ", () => {
        at = (at + 1) % g.lines.length;
        state.textContent = at + 1 + " of " + g.lines.length;
        go(g.lines[at]);
      });
      next.append(state);
      list.append(next);
      g.lines.slice(0, listed).forEach((l, i) => {
        const b = button("to", contentOf(l), () => { at = i; go(l); });
        b.title = nameOf(l);
        list.append(b);
      });
      if (g.lines.length > listed) list.append(make("small", "", "and " + (g.lines.length - listed) + " more"));
      lists.append(list);
    });
    bar.replaceChildren(head, lists);
    bar.hidden = false;
    document.body.classList.add("pinned");
  }
  async function pin(line, mayMove) {
    pinned = line;
    light(line);
    press();
    const groups = await belonging(line);
    if (pinned !== line) return;
    fillBar(line, groups);
    if (mayMove) await bring(line, groups);
  }
  function unpin() {
    const line = pinned, inBar = bar.contains(document.activeElement);
    pinned = null;
    light(null);
    press();
    bar.hidden = true;
    document.body.classList.remove("pinned");
    if (inBar && line && line.element) focus(line.element);
  }
  // Beside a line that is kept, the other panes show the first line that belongs to it. One below the other they do not: the
  // reader would lose the place, and the bar has the lines.
  async function bring(line, groups) {
    if (!wide()) return;
    const first = (kind) => { const g = groups.find((x) => x.kind === kind); return g && g.lines[0]; };
    if (line.owner.kind === "source") {
      const there = groups.filter((g) => g.kind !== "source").flatMap((g) => g.lines).find((l) => l.owner.root.open && l.element && l.element.getClientRects().length);
      const to = there || first("dynamo") || first("graph") || first("kernel") || first("code");
      if (to) (await onPage(to)).scrollIntoView({ block: "center" });
      return;
    }
    const source = first("source");
    if (source) {
      reveal(source.element);
      const a = source.element.getBoundingClientRect(), b = left.getBoundingClientRect();
      left.scrollTop += a.top - b.top - (b.height - a.height) / 2;
    }
    for (const kind of line.owner.kind === "kernel" ? ["graph"] : ["kernel"]) {
      if (!first(kind)) continue;
      const top = line.element.getBoundingClientRect().top;
      const e = await onPage(first(kind)), pre = e.closest("pre");
      const a = e.getBoundingClientRect(), b = pre.getBoundingClientRect();
      pre.scrollTop += a.top - b.top - (b.height - a.height) / 2;
      scrollBy(0, line.element.getBoundingClientRect().top - top); // the line stays where the reader looks
    }
  }
  function reveal(e) {
    for (; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") e.open = true;
      e.hidden = false;
    }
  }
  // onPage opens what a line is in, and is its element.
  async function onPage(line) {
    reveal(line.owner.root);
    if (line.owner.root.dataset.t) {
      await page.unpack(line.owner.root);
      await filledBy(line.owner);
    }
    reveal(line.element);
    return line.element;
  }
  const filledBy = async (text) => { while (!text.opened) await new Promise((r) => setTimeout(r)); };
  function arrive(e) {
    all(".here").forEach((old) => old.classList.remove("here"));
    e.classList.add("here");
    e.scrollIntoView({ block: "center" });
    focus(e);
  }
  async function go(line) { arrive(await onPage(line)); }

  // Marks beside lines lead to what they count: the first, pressed again the next.
  const links = {
    breaks: ".note.break, .answer#breaks li, #left li, .skipped", again: ".note.again, .answer#recompilations li", failed: "#failed .note, #left li, .note.break",
  };
  const turns = new Map();
  async function follow(mark) {
    const element = mark.closest(".l"), line = lineAt.get(element), kind = mark.dataset.go;
    if (pinned !== line) pin(line, false);
    let list = [];
    if (links[kind]) {
      const href = '[href="#' + CSS.escape(element.id) + '"]';
      list = all(links[kind]).filter((e) => e.querySelector("a" + href) && !all(links[kind], e).some((inner) => inner.querySelector("a" + href)));
    } else if (kind === "leads") {
      const to = element.dataset.leads.split("\t");
      list = texts.filter((t) => t.kind === "source").flatMap((t) => t.lines.filter((l) => to.includes(l.places[0])));
    } else {
      const g = (await belonging(line, kind))[0];
      if (g) list = g.lines;
    }
    const at = turns.has(mark) ? (turns.get(mark) + 1) % (list.length || 1) : 0;
    turns.set(mark, at);
    mark.title = list.length ? at + 1 + " of " + list.length : "not on this page: the files beside it have it";
    if (!list.length) return;
    const to = list[at];
    if (to.owner) return go(to);
    reveal(to);
    arrive(to);
  }

  document.addEventListener("mouseover", (e) => {
    if (!pinned) light(lineOf(e.target));
  });
  document.addEventListener("click", (e) => {
    const mark = e.target.closest ? e.target.closest("button[data-go]") : null;
    if (mark) return void follow(mark);
    const line = lineOf(e.target);
    if (!line || e.target.closest("a") || String(getSelection())) return;
    toggle(line);
  });
  function lineOf(target) {
    const e = target.closest ? target.closest(".l") : null;
    return e ? lineAt.get(e) || null : null;
  }
  function toggle(line) {
    if (pinned === line) unpin();
    else pin(line, true);
  }

  // The keyboard: arrows go from line to line in a text that has the focus, and to the marks beside a line. Tab leaves the text,
  // from a line that is kept to the bar.
  function focus(e) {
    if (e.tabIndex < 0) e.tabIndex = -1;
    if (lineAt.has(e)) e.setAttribute("role", "button");
    press();
    e.focus({ preventScroll: true });
  }
  function press() {
    all('.l[role="button"]').forEach((e) => e.setAttribute("aria-pressed", pinned && pinned.element === e ? "true" : "false"));
  }
  const seen = (line) => line && line.element && line.element.getClientRects().length > 0;
  function step(text, line, by) {
    let i = line ? line.nth + by : text.lines.findIndex((l) => seen(l) && l.element.getBoundingClientRect().bottom > Math.max(0, l.element.closest("pre").getBoundingClientRect().top));
    while (text.lines[i] && !seen(text.lines[i])) i += by;
    const to = text.lines[i];
    if (!to) return;
    focus(to.element);
    to.element.scrollIntoView({ block: "nearest" });
    if (!pinned) light(to);
  }
  function keyed(e, text, line) {
    const marks = line ? all("button[data-go]", line.element) : [], at = marks.indexOf(e.target);
    switch (e.key) {
      case "ArrowDown": return step(text, line, 1), true;
      case "ArrowUp": return line && step(text, line, -1), !!line;
      case "Home": return step(text, { nth: -1 }, 1), true;
      case "End": return step(text, { nth: text.lines.length }, -1), true;
      case "ArrowRight": return at + 1 < marks.length && marks[at + 1].focus(), marks.length > 0;
      case "ArrowLeft": return at >= 0 && focus(at ? marks[at - 1] : line.element), at >= 0;
      case "Enter": case " ": return line && at < 0 && e.target === line.element && toggle(line), !!line && at < 0 && e.target === line.element;
      case "Tab": {
        if (e.shiftKey || line !== pinned || !line || bar.hidden) return false;
        bar.querySelector("button").focus();
        return true;
      }
    }
    return false;
  }
  document.addEventListener("keydown", (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    if (e.key === "Escape" && pinned && !(e.target.tagName === "INPUT" && e.target.value)) return unpin();
    if (e.key === "Tab" && e.shiftKey && e.target === bar.querySelector("button") && pinned && pinned.element) {
      e.preventDefault();
      return focus(pinned.element);
    }
    const pre = e.target.closest ? e.target.closest("pre") : null, text = pre ? textAt.get(pre) : null;
    if (text && text.lines.length && keyed(e, text, lineOf(e.target))) e.preventDefault();
  });
  return { filled, pin: (e) => { if (lineAt.has(e)) pin(lineAt.get(e), false); } };
}
