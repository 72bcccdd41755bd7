// The answers can be read without this. It unpacks texts when they are opened, adds colours, links and the
// filter, and shows what became of a line.
(function () {
  "use strict";
  const words = {
    python: "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield",
    cpp: "auto bool break case char class const continue double else extern float for if int long namespace return static struct switch template typename unsigned void while",
  };
  const patterns = {
    python: /(#.*)|((?:[rRbBfFuU]{0,2})(?:'''[\s\S]*?(?:'''|$)|"""[\s\S]*?(?:"""|$)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))|\b(\d[\w.]*)\b|([A-Za-z_]\w*)/g,
    cpp: /(\/\/.*|\/\*[\s\S]*?\*\/)|("(?:\\.|[^"\\\n])*")|\b(\d[\w.]*)\b|([A-Za-z_]\w*)/g,
  };
  const known = {};
  for (const lang in words) known[lang] = new Set(words[lang].split(" "));
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  function make(tag, className, text) {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  }

  // Names that lead somewhere on this page.
  const links = new Map();
  all(".graph[id]").forEach((g) => { links.set(g.querySelector("code").textContent, g.id); });
  all("h2[id], h3[id]").forEach((h) => { links.set(h.querySelector("code").textContent, h.id); });

  // Colours only the text nodes, so that the marked lines stay. A string over several lines begins in one of them and
  // ends in another: open is the quote that ends it, and what is returned is that of the next line.
  function colour(node, lang, open) {
    const text = node.data, out = document.createDocumentFragment();
    let at = 0;
    if (open) {
      const end = text.indexOf(open);
      at = end < 0 ? text.length : end + open.length;
      out.append(make("span", "s", text.slice(0, at)));
      if (end >= 0) open = "";
    }
    const begin = at;
    for (const m of text.slice(begin).matchAll(patterns[lang])) {
      m.index += begin;
      const quote = lang === "python" && m[2] && /^\w*("""|''')/.exec(m[2]);
      if (quote && (m[2].length < quote[0].length + 3 || !m[2].endsWith(quote[1]))) open = quote[1];
      let element = null;
      const kind = m[1] !== undefined ? "c" : m[2] !== undefined ? "s" : m[3] !== undefined ? "n" : known[lang].has(m[4]) ? "k" : "";
      if (kind) element = make("span", kind);
      else if (links.has(m[4])) {
        element = make("a");
        element.href = "#" + links.get(m[4]);
      } else continue;
      element.textContent = m[0];
      out.append(text.slice(at, m.index), element);
      at = m.index + m[0].length;
    }
    out.append(text.slice(at));
    node.replaceWith(out);
    return open;
  }
  function colourAll(pre) {
    if (pre.dataset.done) return;
    pre.dataset.done = "1";
    const lang = pre.dataset.lang || "python";
    const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    let open = "";
    for (const n of nodes) {
      const aside = n.parentElement.closest("i, small");
      if (!aside) open = colour(n, lang, open);
      else if (aside.className === "gap") open = ""; // lines are left out here
    }
  }

  // Packed texts: a chunk is unpacked once, a text put on the page when it is opened for the first time.
  const chunks = {};
  let places = [];
  if (document.getElementById("places")) places = JSON.parse(document.getElementById("places").textContent);
  function chunk(number) {
    if (!chunks[number]) {
      const packed = atob(document.getElementById("texts-" + number).textContent);
      const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      chunks[number] = new Response(stream).json();
    }
    return chunks[number];
  }
  // The lines of a text, each with the places that belong to it.
  function* lineRuns(text) {
    const lines = text.t.split("\n"), from = text.m || [lines.length, -1];
    let run = 0, left = from[0];
    for (const line of lines) {
      while (!left && run + 2 < from.length) left = from[(run += 2)];
      left--;
      yield [line, places[from[run + 1]]];
    }
  }
  const textOf = async (details) => {
    const [number, at] = details.dataset.t.split(".");
    return (await chunk(number))[at];
  };
  function fill(pre, text) {
    const elements = [];
    const lang = text.l || "python", folds = (text.f || []).slice();
    let number = 0, into = pre, end = -1, open = "";
    for (const [line, from] of lineRuns(text)) {
      if (number === end) into = pre;
      if (folds.length && number === folds[0].a) {
        const fold = folds.shift();
        into = make("details", "fold");
        into.append(make("summary", "", fold.s));
        pre.append(into);
        end = fold.b;
      }
      const element = make("span", "l", line + "\n");
      if (from) element.dataset.s = from;
      open = colour(element.firstChild, lang, open);
      into.append(element);
      elements.push(element);
      number++;
    }
    return elements;
  }
  const unpacked = new Map();
  function unpack(details) {
    if (!unpacked.has(details)) unpacked.set(details, putThere(details));
    return unpacked.get(details);
  }
  async function putThere(details) {
    details.dataset.done = "1";
    const pre = make("pre");
    pre.tabIndex = 0;
    details.querySelector("summary").after(pre);
    try {
      await joined.filled(details, fill(pre, await textOf(details)));
    } catch (e) {
      pre.textContent = "This browser cannot unpack the text (" + e.message + "). It is in the files beside this page.";
    }
  }
  document.addEventListener("toggle", (e) => {
    const d = e.target;
    if (!d.open) return;
    if (d.dataset.t) unpack(d);
    all("pre[data-lang]", d).forEach((pre) => { if (seen(pre)) colourAll(pre); });
  }, true);
  function seen(e) {
    for (e = e.parentElement; e; e = e.parentElement) if (e.tagName === "DETAILS" && !e.open) return false;
    return true;
  }
  all("pre").forEach((pre) => { if (seen(pre)) colourAll(pre); });

  const joined = joinedLines({ all, make, places, text: textOf, unpack });

  // A chart that is wider than its frame is shown from its first box, which stands in the middle.
  function centre(from) {
    all(".chart", from).forEach((c) => { if (!c.scrollLeft) c.scrollLeft = (c.scrollWidth - c.clientWidth) / 2; });
  }
  centre(document);
  document.addEventListener("toggle", (e) => { if (e.target.open) centre(e.target); }, true);

  // A link into a folded part opens it.
  function target() {
    const name = location.hash.slice(1);
    let decoded = name;
    try { decoded = decodeURIComponent(name); } catch (e) { /* not encoded */ }
    return name ? document.getElementById(name) || document.getElementById(decoded) : null;
  }
  function open() {
    const at = target();
    for (let e = at; e; e = e.parentElement) {
      if (e.tagName === "DETAILS") e.open = true;
      e.hidden = false;
    }
    if (at) at.scrollIntoView({ block: at.dataset.s ? "center" : "start" });
  }
  addEventListener("hashchange", open);
  // A click on a link to where one is already changes nothing in the address.
  document.addEventListener("click", (e) => {
    const a = e.target.closest ? e.target.closest('a[href^="#"]') : null;
    if (a && a.getAttribute("href") === location.hash) open();
  });
  open();

  // The filter leaves what has all its words, and opens what that is folded into.
  const box = document.getElementById("filter");
  if (!box) return;
  box.closest("p").hidden = false;
  const units = all("[data-f]"), folds = all("main details"), parts = all("main section, main .resume, main .crowd");
  const texts = units.map((u) => {
    const title = u.closest(".resume") || u.closest("section");
    const head = title ? title.querySelector("h2, h3") : null;
    return (u.textContent + " " + (head ? head.textContent : "")).toLowerCase();
  });
  let before = null;
  function filter() {
    const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!before && wanted.length) before = folds.map((d) => d.open);
    let found = 0;
    units.forEach((u, i) => {
      u.hidden = !wanted.every((w) => texts[i].includes(w));
      if (!u.hidden) found++;
    });
    parts.forEach((p) => {
      const inside = all("[data-f]", p);
      p.hidden = wanted.length > 0 && inside.length > 0 && inside.every((u) => u.hidden);
    });
    document.body.classList.toggle("filtered", wanted.length > 0);
    if (wanted.length) {
      const few = found <= 60; // more than anybody reads would take long to lay out
      folds.forEach((d) => { if (few && d.matches(".resume, .crowd, .answer > details") && !d.hidden) d.open = true; });
    } else if (before) {
      folds.forEach((d, i) => { d.open = before[i]; });
      before = null;
    }
    box.parentElement.querySelector("small").textContent = wanted.length ? found + " of " + units.length + (lineAt() ? "; Enter goes to the line" : "") : "";
  }
  // A place in the source, "model.py:12": Enter leads there, and keeps what became of the line.
  function lineAt() {
    const place = box.value.trim();
    return /.:\d+$/.test(place) ? all("[data-s][id]").find((e) => ("/" + e.dataset.s).endsWith("/" + place)) : null;
  }
  function goTo(line) {
    clearTimeout(waiting);
    box.value = "";
    filter();
    joined.pin(line);
    if (location.hash === "#" + line.id) open();
    else location.hash = line.id;
  }
  let waiting = 0;
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });
  addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|TEXTAREA)$/.test(e.target.tagName) && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      box.focus();
      box.scrollIntoView({ block: "nearest" });
    } else if (e.key === "Escape" && e.target === box && box.value) {
      box.value = "";
      filter();
    } else if (e.key === "Enter" && e.target === box && lineAt()) {
      goTo(lineAt());
    }
  });
})();
