// One row per group of documents that differ in the same way. A row's body is made when it is opened first.
const PLACES_AT_ONCE = 60;
const OPS = { add: "+", remove: "−", replace: "~", reorder: "~", type: "~" };

const changeSize = (group) => (group.changes || []).length + (group.labels || []).length;

/** The closed row: what became of what, where, and the first field. */
function row(group, at, places) {
  const whole = places.length === group.places.length;
  const count = places.length / 3;
  const title = whole ? group.title : number(count) + " of " + plural(group.places.length / 3, "document");
  const cells = whole ? group.cells : describe(places);
  const [tone, sign] = EFFECTS[group.effect] || ["mild", ""];
  const body = el("div", { class: "body", id: "body-" + at, hidden: true });
  const head = el("button", { type: "button", class: "head", "aria-expanded": "false", "aria-controls": "body-" + at },
    el("span", { class: "badge v-" + group.verdict }, el("span", { class: "mark", "aria-hidden": "true" }, SIGNS[group.verdict]), " " + verdictWord(group.verdict)),
    el("span", { class: "title" }, el("b", {}, title), el("span", { class: "where" }, " " + cells)),
    group.effects ? el("span", { class: "effect " + tone }, sign ? el("span", { "aria-hidden": "true" }, sign + " ") : null, group.effects) : null,
    preview(group));
  const article = el("article", { class: "row card v-" + group.verdict, "data-group": at }, el("h3", {}, head), body);
  head.addEventListener("click", () => open(article, body.hidden));
  article.fill = () => fill(body, group, places);
  return article;
}

/** Opens or closes a row. */
function open(article, wanted) {
  const [head, body] = [article.querySelector(".head"), article.querySelector(".body")];
  if (wanted && article.fill) { article.fill(); article.fill = null; }
  body.hidden = !wanted;
  head.setAttribute("aria-expanded", String(wanted));
}

/** The first field on one line. */
function preview(group) {
  const size = changeSize(group);
  if (!size) return group.problem || group.note ? el("span", { class: "preview" }, group.problem || group.note) : null;
  const more = size > 1 ? el("span", { class: "others" }, "  +" + plural(size - 1, group.labels ? "label" : "field")) : null;
  if (group.labels) {
    const [label, before, after] = group.labels[0];
    return el("span", { class: "preview" }, el("code", {}, label, ": ", el("del", {}, before), " → ", el("ins", {}, after)), more);
  }
  const change = group.changes[0];
  const line = (value) => value.line || (value.lines ? value.lines[0] + " …" : "");
  const told = [];
  if (change.before) told.push(el("del", {}, short(line(change.before))));
  if (change.before && change.after) told.push(" → ");
  if (change.after) told.push(el("ins", {}, short(line(change.after))));
  if (change.hunks) {
    const lines = change.hunks.flatMap((hunk) => hunk[2]);
    const count = (sign) => lines.filter((text) => text[0] === sign).length;
    told.push(el("del", {}, "−" + count("-")), " ", el("ins", {}, "+" + count("+")), " lines");
  }
  return el("span", { class: "preview" }, el("code", {}, OPS[change.op] + " " + change.path, told.length ? ": " : "", told), more);
}

const short = (text) => (text.length > 60 ? text.slice(0, 58) + "…" : text);

function fill(body, group, places) {
  if (group.problem) body.append(el("pre", { class: "message" }, group.problem));
  if (group.note) body.append(el("p", { class: "note" }, group.note));
  if (group.labels) body.append(labels(group.labels));
  const box = el("div", { class: "changes" });
  const effects = new Set((group.changes || []).map((change) => change.effect));
  const sample = group.places.slice(0, 3);
  inParts(box, (group.changes || []).map((change) => () => field(change, effects.size > 1, group, sample)), 100, "field");
  if (box.childNodes.length) body.append(box);
  const where = wherever(places);
  if (where) body.append(where);
}

function labels(moves) {
  const table = el("table", { class: "labels" }, el("thead", {}, el("tr", {}, ["label", "baseline", "candidate", "documents"].map((name) => el("th", { scope: "col" }, name)))));
  const rows = el("tbody");
  for (const [label, before, after, count] of moves) {
    rows.append(el("tr", {}, el("th", { scope: "row" }, el("code", {}, label)), el("td", {}, el("del", { class: "value" }, before)),
      el("td", {}, el("ins", { class: "value" }, after)), el("td", {}, number(count))));
  }
  table.append(rows);
  return el("div", { class: "scroll" }, table);
}

/** One changed field, its values, and on demand where they come from. */
function field(change, tellEffect, group, sample) {
  const [tone, sign] = EFFECTS[change.effect] || ["mild", ""];
  const head = el("div", { class: "field" }, el("span", { class: "op op-" + change.op }, OPS[change.op] || "~"), path(change.path),
    change.op === "reorder" ? el("span", { class: "kind" }, "the same elements in another order") : null,
    tellEffect && tone !== "mild" ? el("span", { class: "effect " + tone }, sign + " " + EFFECT_WORDS[change.effect]) : null);
  const box = el("div", { class: "change" }, head, values(change));
  const origin = origins(change, group, sample);
  if (origin) {
    origin.hidden = true;
    const button = el("button", { type: "button", class: "blame", "aria-expanded": "false", title: "Where the values come from (b)" }, nearest(change));
    button.addEventListener("click", () => {
      origin.hidden = !origin.hidden;
      button.setAttribute("aria-expanded", String(!origin.hidden));
    });
    head.append(button);
    box.append(origin);
  }
  return box;
}

/** The place to look at first. */
function nearest(change) {
  const side = change.candidate || change.baseline;
  if (side && side.values.length) return side.values[0][1];
  if (change.marks && change.marks.length) return change.marks[0].kind + " " + change.marks[0].call;
  return side && side.template ? side.template : "origin";
}

function origins(change, group, sample) {
  if (!change.baseline && !change.candidate && !change.marks) return null;
  const box = el("div", { class: "origins" });
  const columns = el("div", { class: "origin-sides" });
  for (const name of ["baseline", "candidate"]) {
    if (!change[name]) continue;
    const { template, values } = change[name];
    const items = el("ul", {}, values.map(([path, place, layer]) =>
      el("li", {}, el("code", {}, path), " set in ", el("code", {}, place), " ", el("span", { class: "layer" }, layer))));
    if (template) items.append(el("li", {}, "printed by ", el("code", {}, template)));
    columns.append(el("div", {}, el("h4", {}, name), items));
  }
  if (columns.childNodes.length) box.append(columns);
  for (const mark of change.marks || []) {
    box.append(el("p", {}, el("span", { class: "layer" }, mark.kind), " ", el("code", {}, mark.call), mark.place ? [" at ", el("code", {}, mark.place)] : null,
      mark.via.length ? " through " + mark.via.join(", ") : null));
  }
  if (group.places.length > 3) {
    box.append(el("p", { class: "note" }, "As in " + documentName(sample[2]) + " of " + describe(sample) + "."));
  }
  return box;
}

/** The documents of a group, release by release. */
function wherever(places) {
  if (places.length <= 3) return null;
  const releases = new Map();
  for (let at = 0; at < places.length; at += 3) {
    const [release, platform, id] = places.slice(at, at + 3);
    if (!releases.has(release)) releases.set(release, new Map());
    const documents = releases.get(release);
    if (!documents.has(id)) documents.set(id, []);
    documents.get(id).push(platform);
  }
  const entries = [...releases].flatMap(([release, documents]) => [...documents].map(([id, platforms]) => [release, id, platforms]));
  const box = el("details", { class: "places" }, el("summary", {}, plural(places.length / 3, "document")));
  const items = el("div", { class: "list" });
  box.append(items);
  const fillPlaces = () => inParts(items, entries.map(([release, id, platforms]) => () =>
    el("div", { class: "place" }, el("span", { class: "release" }, DATA.releases[release]), el("span", {}, documentName(id)),
      el("span", { class: "where" }, DATA.platforms.length > 1 ? platforms.map((at) => DATA.platforms[at]).join(", ") : ""))), PLACES_AT_ONCE, "document");
  if (entries.length <= 12) { box.open = true; fillPlaces(); }
  else box.addEventListener("toggle", fillPlaces, { once: true });
  return box;
}
