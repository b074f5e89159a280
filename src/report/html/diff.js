// Two values beside each other, with the words that differ.
const LINES_AT_ONCE = 300;

/** The parts of two texts as [text, differs]; none differs alone where they have too little in common. */
function words(before, after) {
  const cut = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) || [];
  const a = cut(before), b = cut(after);
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const keep = common(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const join = (tokens, kept) => {
    const parts = [];
    tokens.forEach((token, at) => {
      const inside = at >= head && at < tokens.length - tail;
      const differs = inside && !kept.has(at - head);
      const last = parts[parts.length - 1];
      if (last && last[1] === differs) last[0] += token;
      else parts.push([token, differs]);
    });
    return parts;
  };
  const parts = [join(a, keep[0]), join(b, keep[1])];
  const same = parts[0].reduce((sum, [text, differs]) => sum + (differs ? 0 : text.trim().length), 0);
  const size = Math.max(before.length, after.length);
  return same * 5 < size ? [[[before, false]], [[after, false]]] : parts;
}

/** Which tokens of two lists are in their longest common run of picks. */
function common(a, b) {
  const kept = [new Set(), new Set()];
  if (!a.length || !b.length || a.length * b.length > 160000) return kept;
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * width + j] = a[i] === b[j]
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) { kept[0].add(i++); kept[1].add(j++); }
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++;
    else j++;
  }
  return kept;
}

const marked = (parts, tag) => parts.map(([text, differs]) => (differs ? el(tag, { class: "word" }, text) : text));

/** Hunks as rows of two sides; removed and added lines stand beside each other. */
function sideBySide(hunks, more) {
  const box = el("div", { class: "sides-of", role: "group", "aria-label": "baseline and candidate" });
  box.append(el("div", { class: "pair heads", "aria-hidden": "true" }, el("span", {}, "baseline"), el("span", {}, "candidate")));
  const rows = [];
  hunks.forEach(([oldStart, newStart, lines], index) => {
    if (index > 0) rows.push(() => el("div", { class: "gap" }, "⋯"));
    let old = oldStart, now = newStart, removed = [], added = [];
    const flush = () => {
      for (let at = 0; at < Math.max(removed.length, added.length); at++) {
        const left = removed[at], right = added[at];
        rows.push(() => pair(left, right));
      }
      removed = []; added = [];
    };
    for (const line of lines) {
      const text = line.slice(1);
      if (line[0] === "-") removed.push([old++, text]);
      else if (line[0] === "+") added.push([now++, text]);
      else {
        flush();
        const left = old++, right = now++;
        rows.push(() => el("div", { class: "pair same" }, side("", left, [text], " "), side("", right, [text], " ")));
      }
    }
    flush();
  });
  inParts(box, rows, LINES_AT_ONCE, "line");
  if (more) box.append(el("p", { class: "gap" }, "and " + plural(more, "line") + " more; the JSON report has all"));
  return box;
}

function pair(left, right) {
  if (!left || !right) {
    return el("div", { class: "pair" },
      left ? side("old", left[0], [left[1]], "−") : el("span", { class: "side void" }),
      right ? side("new", right[0], [right[1]], "+") : el("span", { class: "side void" }));
  }
  const [before, after] = words(left[1], right[1]);
  return el("div", { class: "pair both" },
    side("old", left[0], marked(before, "del"), "−"), side("new", right[0], marked(after, "ins"), "+"));
}

function side(kind, line, text, sign) {
  return el("span", { class: "side " + kind }, el("span", { class: "line-no", "aria-hidden": "true" }, String(line)),
    el("span", { class: "line-sign" }, sign), el("code", {}, text));
}

/** Appends rows made on demand, and a button for the rest. */
function inParts(box, rows, size, noun) {
  const next = (from) => {
    for (const row of rows.slice(from, from + size)) box.append(row());
    const left = rows.length - from - size;
    if (left <= 0) return;
    const button = el("button", { type: "button", class: "more", onclick: () => { button.remove(); next(from + size); } },
      "Show " + plural(Math.min(left, size), noun) + " more of " + number(left));
    box.append(button);
  };
  next(0);
}

/** The values of one changed field. */
function values(change) {
  const { before, after, hunks } = change;
  if (hunks) return sideBySide(hunks, change.more);
  if (before && after) {
    const kinds = change.op === "type";
    const [old, now] = words(before.line, after.line);
    const short = before.line.length + after.line.length <= 84;
    const value = (parts, tag, kind) => [el(tag, { class: "value" }, marked(parts, "mark")), kinds ? el("span", { class: "kind" }, " " + kind) : null];
    return el("div", { class: "values" + (short ? " inline" : "") },
      el("span", { class: "old" }, el("span", { class: "line-sign", "aria-hidden": "true" }, "−"), value(old, "del", before.kind)),
      short ? el("span", { class: "arrow", "aria-hidden": "true" }, "→") : null,
      el("span", { class: "new" }, el("span", { class: "line-sign", "aria-hidden": "true" }, "+"), value(now, "ins", after.kind)));
  }
  const only = before || after;
  if (!only) return el("div", { class: "values" }, change.note || "");
  const tag = before ? "del" : "ins";
  const box = el("div", { class: "values alone " + (before ? "old" : "new") });
  if (!only.lines) box.append(el(tag, { class: "value" }, only.line));
  else inParts(box, only.lines.map((line) => () => el(tag, { class: "value block" }, line || " ")), LINES_AT_ONCE, "line");
  if (only.more) box.append(el("p", { class: "gap" }, "and " + plural(only.more, "line") + " more; the JSON report has all"));
  return box;
}
