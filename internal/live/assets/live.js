// Follows the program: each process has a section, which is written anew when something has changed.
(function () {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const shown = new Map(); // sections by the name of the process
  const words = { running: "running", ended: "ended", killed: "not ended, and no such process is on this machine" };

  function make(tag, className, text) {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  }
  const title = (p) => (p.name === "." ? p.command || "this folder" : p.name);
  function ago(since) {
    const s = Math.max(0, Date.now() / 1000 - since);
    return s < 100 ? s.toFixed(0) + " s" : s < 6000 ? (s / 60).toFixed(0) + " min" : (s / 3600).toFixed(0) + " h";
  }

  function section(p) {
    const e = make("section", "process");
    const page = "page?of=" + encodeURIComponent(p.name);
    e.id = "process-" + p.name;
    const head = make("h2", "", title(p));
    const state = make("span", "state");
    head.append(state);
    const last = make("p", "last"), now = make("ul", "now"), trouble = make("p", "trouble"), answers = make("div", "depyf");
    last.setAttribute("role", "status");
    const whole = make("details", "whole"), summary = make("summary"), links = make("p"), link = make("a", "", "in a tab of its own");
    link.href = page;
    link.target = "_blank";
    link.rel = "noopener";
    links.append(link);
    whole.append(summary, links);
    // The page is made when somebody looks: it takes a while for a large session.
    whole.addEventListener("toggle", () => {
      if (!whole.open || whole.querySelector("iframe")) return;
      const frame = make("iframe");
      frame.title = "What torch.compile did";
      frame.addEventListener("load", () => { frame.dataset.loaded = "1"; });
      frame.src = page;
      whole.append(frame);
    });
    e.append(head, last, now, trouble, answers, whole);
    return { e, head, state, last, now, trouble, answers, summary, whole, p };
  }

  function write(s, p) {
    const ended = s.p.state === "running" && p.state !== "running";
    s.p = p;
    s.head.firstChild.data = title(p);
    s.state.textContent = words[p.state] || p.state;
    s.state.className = "state " + p.state;
    s.trouble.textContent = p.trouble;
    // What the reader has folded stays folded.
    const folded = new Map(Array.from(s.answers.querySelectorAll("[data-key]")).map((d) => [d.dataset.key, d.open]));
    s.answers.innerHTML = p.html; // escaped by the server, and nothing in it could run: see the policy of this page
    s.answers.querySelectorAll("[data-key]").forEach((d) => {
      if (folded.has(d.dataset.key)) d.open = folded.get(d.dataset.key);
    });
    s.now.replaceChildren(...p.now.map((c) => {
      const li = make("li");
      const time = make("span", "ago");
      time.dataset.since = c.since;
      li.append("compiling ", make("code", "", c.function), " (" + c.place + "), " + c.id + ", for ", time, ": " + c.stage);
      return li;
    }));
    const frame = s.whole.querySelector("iframe");
    if (frame) frame.remove(); // it is of before
    if (frame || ended) s.whole.open = false;
    if (ended && shown.size === 1) s.whole.open = true;
    s.summary.textContent = p.state === "running" ? "The whole page, as far as it goes" : "The whole page";
  }

  function clock() {
    shown.forEach((s) => {
      const p = s.p, parts = [];
      if (p.name !== "." && p.command) parts.push(p.command);
      if (p.last) parts.push("last event " + (p.state === "running" ? ago(p.last) + " ago" : "at " + new Date(p.last * 1000).toLocaleTimeString()));
      s.last.textContent = parts.join(" · ");
      s.now.querySelectorAll(".ago").forEach((t) => { t.textContent = ago(Number(t.dataset.since)); });
    });
  }

  function take(list, all) {
    const names = new Set(list.map((p) => p.name));
    if (all) shown.forEach((s, name) => { if (!names.has(name)) list.push({ name, gone: true }); });
    list.forEach((p) => {
      let s = shown.get(p.name);
      if (p.gone) {
        if (s) s.e.remove();
        shown.delete(p.name);
        return;
      }
      if (!s) {
        s = section(p);
        shown.set(p.name, s);
        byId("processes").append(s.e);
      }
      write(s, p);
    });
    const many = byId("list");
    many.hidden = shown.size < 2;
    many.replaceChildren(...Array.from(shown.values(), (s) => {
      const a = make("a", "", title(s.p) + (s.p.now.length ? " · compiling" : s.p.state === "running" ? "" : " · " + s.p.state));
      a.href = "#" + s.e.id;
      return a;
    }));
    byId("none").hidden = shown.size > 0;
    clock();
  }

  const source = new EventSource("events"), link = byId("link");
  source.addEventListener("all", (e) => take(JSON.parse(e.data), true));
  source.addEventListener("some", (e) => take(JSON.parse(e.data), false));
  source.onopen = () => { link.textContent = "followed live"; link.className = ""; };
  source.onerror = () => { link.textContent = "depyf serve does not answer; this is what it said last"; link.className = "lost"; };
  setInterval(clock, 1000);
})();
