// The search of messages.html: paste what TensorRT printed, and the table shows what knows it. It reads the table of the
// page, so that there is one list; `trtcheck explain` decides by the same rules (cpp/src/explain/message_words.cpp), and
// forgives misspellings besides.
"use strict";

(() => {
  const fewestWords = 3;
  const wildcardWords = 8;

  const words = (text) =>
    (text.toLowerCase().match(/[a-z0-9_](?:[a-z0-9_]|::(?=[a-z_]))*|\*/g) ?? []).map((word) => (/^\d+$/.test(word) ? "#" : word));

  // Whether `wanted` stands in `text` at `at`; "*" of `wanted` is up to eight words, "*" of `text` is one.
  const standsAt = (wanted, text, at) => {
    if (wanted.length === 0) return true;
    const [first, ...rest] = wanted;
    if (first === "*") {
      for (let n = 0; n <= wildcardWords && at + n <= text.length; ++n) if (standsAt(rest, text, at + n)) return true;
      return false;
    }
    return at < text.length && (text[at] === first || text[at] === "*") && standsAt(rest, text, at + 1);
  };

  const trimmed = (list) => {
    const isWord = (word) => word !== "*";
    return list.slice(list.findIndex(isWord), list.findLastIndex(isWord) + 1);
  };
  const found = (wanted, text) => text.some((_, at) => standsAt(wanted, text, at));

  // How many words agree; 0: the row does not know the message.
  const agreement = (known, message) => {
    const pattern = trimmed(known);
    if (found(pattern, message)) return pattern.filter((word) => word !== "*").length;
    const isPart = message.length >= fewestWords && message.length < pattern.length && found(message, pattern);
    return isPart ? message.filter((word) => pattern.includes(word)).length : 0;
  };

  const show = (rows, body, status, text) => {
    const message = words(text).filter((word) => word !== "*");
    for (const row of rows) row.score = message.length === 0 ? 1 : agreement(row.words, message);
    const sorted = message.length === 0 ? rows : [...rows].sort((a, b) => b.score - a.score);
    for (const row of sorted) {
      row.element.hidden = row.score === 0;
      body.append(row.element);
    }
    const count = rows.filter((row) => row.score > 0).length;
    if (message.length === 0) status.textContent = "";
    else if (count === 0) status.textContent = "No rule knows this message.";
    else status.textContent = count === 1 ? "One text fits." : `${count} texts fit, the most specific first.`;
  };

  document.addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("message-search");
    const body = document.querySelector("table tbody");
    if (place === null || body === null) return;
    const rows = [...body.rows].map((element) => ({ element, words: words(element.cells[0].textContent), score: 1 }));

    const label = document.createElement("label");
    label.textContent = "Paste what TensorRT printed";
    label.htmlFor = "message-text";
    const field = document.createElement("textarea");
    field.id = "message-text";
    field.rows = 2;
    field.spellcheck = false;
    const status = document.createElement("p");
    status.id = "message-status";
    status.setAttribute("role", "status");
    place.append(label, field, status);
    field.addEventListener("input", () => show(rows, body, status, field.value));
    // A link may bring a message along: messages.html?m=...
    const given = new URLSearchParams(location.search).get("m");
    if (given) {
      field.value = given;
      show(rows, body, status, given);
    }
  });
})();
