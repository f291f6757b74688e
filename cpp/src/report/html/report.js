"use strict";
// Filters, "open all", tables that can be searched, and printing. Without this script everything can be read all the same.
(() => {
  // Paper cannot be clicked.
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open]):not(.long)")) {
      opened.push(details);
      details.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const details of opened.splice(0)) details.open = false;
  });

  // Of a long table the first rows are shown that have all the words.
  const most = 500;
  for (const part of document.querySelectorAll(".searchable")) {
    const search = part.querySelector("form");
    const input = search.querySelector("input");
    const all = search.querySelector("button");
    const told = search.querySelector("output");
    const rows = Array.from(part.querySelector("tbody").rows);
    let texts = null;
    let limit = most;

    const look = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      if (words.length > 0) texts ??= rows.map((row) => row.textContent.toLowerCase());
      let found = 0;
      rows.forEach((row, at) => {
        const matches = words.every((word) => texts[at].includes(word));
        found += matches ? 1 : 0;
        row.hidden = !matches || found > limit;
      });
      all.hidden = found <= limit;
      const ofAll = found === rows.length ? "" : " of " + rows.length;
      told.textContent = found > limit ? "the first " + limit + " of " + found + " rows" : found + ofAll + " rows";
    };

    let later = 0;
    input.addEventListener("input", () => {
      limit = most;
      clearTimeout(later);
      later = setTimeout(look, 120);
    });
    search.addEventListener("submit", (event) => event.preventDefault());
    all.addEventListener("click", () => {
      limit = Infinity;
      look();
    });
    search.hidden = false;
    look();
  }

  const byId = (id) => document.getElementById(id);
  const form = byId("filters");
  if (form === null) return;
  const findings = Array.from(document.querySelectorAll(".finding"));
  const models = Array.from(document.querySelectorAll(".model"));
  const count = byId("count");
  const open = byId("open-all");
  const texts = new Map();

  // An element may stand for several findings of one cause.
  const countOf = (elements) => elements.reduce((sum, each) => sum + Number(each.dataset.count || 1), 0);
  const total = countOf(findings);

  const textOf = (finding) => {
    if (!texts.has(finding)) {
      const model = finding.closest(".model").querySelector("h2").textContent;
      texts.set(finding, (model + " " + finding.textContent).toLowerCase());
    }
    return texts.get(finding);
  };

  const wanted = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const rule = form.elements.rule.value;
    const severities = new Set(Array.from(form.querySelectorAll("[name=severity]:checked"), (box) => box.value));
    return (finding) =>
      severities.has(finding.dataset.severity) &&
      (rule === "" || finding.dataset.rules.split(" ").includes(rule)) &&
      words.every((word) => textOf(finding).includes(word));
  };

  const say = (shown) => {
    const all = total + (total === 1 ? " finding" : " findings");
    count.textContent = shown === total ? all : shown + " of " + all;
  };

  const apply = () => {
    const matches = wanted();
    for (const finding of findings) finding.hidden = !matches(finding);
    const shown = findings.filter((finding) => !finding.hidden);
    const filtered = shown.length !== findings.length;
    // Whoever looked for this one wants to read it.
    if (filtered && shown.length === 1) shown[0].open = true;
    for (const model of models) {
      const own = Array.from(model.querySelectorAll(".finding"));
      model.hidden = filtered && own.every((finding) => finding.hidden);
      for (const rest of model.querySelectorAll(".set-aside")) rest.hidden = filtered;
    }
    for (const fold of document.querySelectorAll(".clean-models")) {
      fold.hidden = filtered && fold.querySelector(".model:not([hidden])") === null;
      if (filtered && !fold.hidden) fold.open = true;
    }
    say(countOf(shown));
  };

  const openAll = (isOpen) => {
    for (const finding of findings) if (!finding.hidden) finding.open = isOpen;
    open.textContent = isOpen ? "Close all" : "Open all";
  };

  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  open.addEventListener("click", () => openAll(open.textContent === "Open all"));

  say(total);
  form.hidden = false;
})();
