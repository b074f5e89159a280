// Data, elements, names. Everything quoted becomes text: nothing here or below makes markup of a string.
const $ = (id) => document.getElementById(id);
const DATA = JSON.parse($("data").textContent);

/** An element with attributes and children; strings become text. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

const number = (count) => count.toString().replace(/\B(?=(\d{3})+$)/g, ",");
const plural = (count, noun) => number(count) + " " + noun + (count === 1 ? "" : "s");

/** `Deployment apps/chat` */
function documentName(at) {
  const [kind, namespace, name] = DATA.ids[at];
  return kind + " " + (namespace === null ? name : namespace + "/" + name);
}

const SIGNS = {
  undecided: "?", removed: "−", renamed: "r", changed: "~", added: "+", moved: "m",
  accepted: "✓", volatile: "≈", equivalent: "=", identical: "=",
};
const verdictWord = (verdict) => (verdict === "undecided" ? "unreadable" : verdict);

const EFFECTS = {
  "data-loss": ["bad", "✕"], rejected: ["bad", "✕"], recreates: ["bad", "✕"],
  "config-without-rollout": ["caution", "⚠"], "restarts-pods": ["caution", "↻"],
  spec: ["mild", ""], "metadata-only": ["mild", ""],
};
const EFFECT_WORDS = {
  "data-loss": "loses data", rejected: "the API server will refuse it",
  recreates: "deletes and recreates the object", "config-without-rollout": "nothing restarts to read it",
  "restarts-pods": "restarts pods", spec: "changes the spec", "metadata-only": "metadata only",
};

/** A path that may break after its steps. */
function path(text) {
  const parts = text.split(/(?<=[.\]/])|(?=\[)/);
  return el("code", { class: "path" }, parts.flatMap((part, at) => (at ? [el("wbr"), part] : [part])));
}

/** `chat on amd and arm64; db on nvidia`, as the text report has it. */
function describe(places) {
  const byRelease = new Map();
  for (let at = 0; at < places.length; at += 3) {
    if (!byRelease.has(places[at])) byRelease.set(places[at], new Set());
    byRelease.get(places[at]).add(places[at + 1]);
  }
  const bySet = new Map();
  for (const [release, platforms] of byRelease) {
    const key = [...platforms].sort((a, b) => a - b).join(" ");
    if (!bySet.has(key)) bySet.set(key, []);
    bySet.get(key).push(release);
  }
  const named = (releases) =>
    releases.length > 5 ? plural(releases.length, "release") : list(releases.map((at) => DATA.releases[at]));
  if (bySet.size > 5) return plural(byRelease.size, "release");
  return [...bySet].map(([key, releases]) => named(releases) + on(key.split(" ").map(Number))).join("; ");
}

/** ` on amd and arm64`; nothing where there is but one platform. */
function on(platforms) {
  if (DATA.platforms.length < 2) return "";
  if (platforms.length === DATA.platforms.length && platforms.length > 2) {
    return " on all " + platforms.length + " platforms";
  }
  return " on " + (platforms.length > 5 ? plural(platforms.length, "platform") : list(platforms.map((at) => DATA.platforms[at])));
}

function list(items) {
  return items.length < 2 ? items.join("") : items.slice(0, -1).join(", ") + " and " + items[items.length - 1];
}
