"use strict";
// Filters, "open all" and printing. Without this script everything can be read all the same.
(() => {
  // Paper cannot be clicked.
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) {
      opened.push(details);
      details.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const details of opened.splice(0)) details.open = false;
  });

  const byId = (id) => document.getElementById(id);
  const form = byId("filters");
  if (form === null) return;
  const findings = Array.from(document.querySelectorAll(".finding"));
  const models = Array.from(document.querySelectorAll(".model"));
  const count = byId("count");
  const open = byId("open-all");
  const texts = new Map();

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
    const all = findings.length + (findings.length === 1 ? " finding" : " findings");
    count.textContent = shown === findings.length ? all : shown + " of " + all;
  };

  const apply = () => {
    const matches = wanted();
    let shown = 0;
    for (const finding of findings) {
      finding.hidden = !matches(finding);
      shown += finding.hidden ? 0 : 1;
    }
    const filtered = shown !== findings.length;
    // Whoever looked for this one wants to read it.
    if (filtered && shown === 1) findings.find((finding) => !finding.hidden).open = true;
    for (const model of models) {
      const own = Array.from(model.querySelectorAll(".finding"));
      model.hidden = filtered && own.every((finding) => finding.hidden);
      for (const rest of model.querySelectorAll(".set-aside")) rest.hidden = filtered;
    }
    say(shown);
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

  say(findings.length);
  form.hidden = false;
})();
