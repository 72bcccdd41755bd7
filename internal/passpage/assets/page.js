"use strict";
// Words become elements of their own, so that one can be clicked.
for (const text of document.querySelectorAll(".l > span")) {
  const out = document.createDocumentFragment();
  for (const part of text.textContent.split(/(%?\w+)/)) {
    if (/\w/.test(part)) {
      const b = document.createElement("b");
      b.textContent = part;
      out.append(b);
    } else if (part) {
      out.append(part);
    }
  }
  text.replaceChildren(out);
}
let shown = "";
// show highlights what a click was on in all columns, or nothing at the second click.
function show(key, list) {
  for (const e of document.querySelectorAll(".hit")) e.classList.remove("hit");
  shown = shown === key ? "" : key;
  if (shown) for (const e of list()) e.classList.add("hit");
}
document.addEventListener("click", (event) => {
  const word = event.target.closest(".l b");
  const number = event.target.closest(".l > i");
  if (word) {
    const text = word.textContent;
    show("word " + text, () => [...document.querySelectorAll(".l b")].filter((b) => b.textContent === text));
  } else if (number && number.textContent) {
    const at = number.parentElement.dataset.at;
    show("line " + at, () => document.querySelectorAll(`.l[data-at="${at}"]`));
  }
});
for (const b of document.querySelectorAll("h2 button")) {
  b.addEventListener("click", () => {
    const folded = b.closest("article").classList.toggle("folded");
    b.setAttribute("aria-expanded", String(!folded));
  });
}
const ways = [...document.querySelectorAll(".way")];
const picks = [...document.querySelectorAll(".ways button")];
function pick(k) {
  ways.forEach((w, i) => (w.hidden = i !== k));
  picks.forEach((b, i) => b.setAttribute("aria-pressed", String(i === k)));
}
picks.forEach((b, i) => b.addEventListener("click", () => pick(i)));
if (picks.length) pick(picks.length - 1);
