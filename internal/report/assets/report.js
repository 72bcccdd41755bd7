// The page works without this: it adds colours, links and what a pointed-at line became.
(function () {
  "use strict";
  const words = {
    python: "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield",
    cpp: "auto bool break case char class const continue double else extern float for if int long namespace return static struct switch template typename unsigned void while",
  };
  const patterns = {
    python: /(#.*)|((?:[rRbBfFuU]{0,2})(?:'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))|\b(\d[\w.]*)\b|([A-Za-z_]\w*)/g,
    cpp: /(\/\/.*|\/\*[\s\S]*?\*\/)|("(?:\\.|[^"\\\n])*")|\b(\d[\w.]*)\b|([A-Za-z_]\w*)/g,
  };
  const known = {};
  for (const lang in words) known[lang] = new Set(words[lang].split(" "));

  // Names that lead somewhere on this page.
  const links = {};
  document.querySelectorAll(".graph[id]").forEach((g) => { links[g.querySelector("code").textContent] = g.id; });
  document.querySelectorAll("h2[id], h3[id]").forEach((h) => { links[h.querySelector("code").textContent] = h.id; });

  // Colours only the text nodes, so that the marked lines stay.
  function colour(node, lang) {
    const text = node.data, out = document.createDocumentFragment();
    let at = 0;
    for (const m of text.matchAll(patterns[lang])) {
      let element = null;
      const kind = m[1] !== undefined ? "c" : m[2] !== undefined ? "s" : m[3] !== undefined ? "n" : known[lang].has(m[4]) ? "k" : "";
      if (kind) {
        element = document.createElement("span");
        element.className = kind;
      } else if (links[m[4]]) {
        element = document.createElement("a");
        element.href = "#" + links[m[4]];
      } else continue;
      element.textContent = m[0];
      out.append(text.slice(at, m.index), element);
      at = m.index + m[0].length;
    }
    out.append(text.slice(at));
    node.replaceWith(out);
  }
  function colourAll(pre) {
    if (pre.dataset.done) return;
    pre.dataset.done = "1";
    const lang = pre.dataset.lang || "python";
    if (!patterns[lang]) return;
    const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), nodes = [];
    while (walker.nextNode()) if (walker.currentNode.parentElement.tagName !== "I") nodes.push(walker.currentNode);
    nodes.forEach((n) => colour(n, lang));
  }
  // What is folded is coloured when it is opened: a session may hold megabytes.
  document.querySelectorAll("pre").forEach((pre) => {
    const d = pre.closest("details");
    if (!d || d.open) colourAll(pre);
    else d.addEventListener("toggle", () => colourAll(pre));
  });

  let hits = [];
  function show(from) {
    hits.forEach((e) => e.classList.remove("hit"));
    hits = from ? Array.from(document.querySelectorAll('[data-s="' + CSS.escape(from) + '"]')) : [];
    hits.forEach((e) => e.classList.add("hit"));
  }
  document.addEventListener("mouseover", (e) => {
    const line = e.target.closest ? e.target.closest("[data-s]") : null;
    show(line ? line.dataset.s : null);
  });
  // A link into a folded part opens it.
  function open() {
    let e = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    for (; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  }
  addEventListener("hashchange", open);
  open();
})();
