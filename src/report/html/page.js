// Filters, the list of rows, keys.
const ROWS_AT_ONCE = 60;
const ROWS_IN_PRINT = 500;
const state = { text: "", verdict: "", release: -1, platform: -1, kind: "" };
let shown = [];   // [group's index, places] of the rows that pass, in order
let made = 0;     // how many of them are on the page

const lower = { releases: DATA.releases.map((t) => t.toLowerCase()), platforms: DATA.platforms.map((t) => t.toLowerCase()), ids: [] };
const idText = (at) => lower.ids[at] || (lower.ids[at] = (documentName(at) + " " + DATA.ids[at][3]).toLowerCase());

/** What of a group itself can be searched. */
function groupText(group) {
  if (group.text) return group.text;
  const parts = [group.verdict, group.effects, group.title, group.note, group.problem, ...(group.labels || []).flat()];
  for (const change of group.changes || []) {
    parts.push(change.path);
    for (const value of [change.before, change.after]) if (value) parts.push(value.line, ...(value.lines || []));
    for (const hunk of change.hunks || []) parts.push(...hunk[2]);
    for (const origin of [change.baseline, change.candidate]) if (origin) parts.push(origin.template, ...origin.values.flat());
    for (const mark of change.marks || []) parts.push(mark.kind, mark.call, mark.place);
  }
  return (group.text = parts.filter((part) => part !== undefined && part !== null).join("\n").toLowerCase());
}

const terms = () => state.text.toLowerCase().split(/\s+/).filter(Boolean);
const isFiltered = () => state.text.trim() || state.verdict || state.release >= 0 || state.platform >= 0 || state.kind;

/** The places of a group that pass the filters. */
function passing(group, wanted) {
  if (state.verdict && group.verdict !== state.verdict) return [];
  if (!isFiltered()) return group.places;
  const text = wanted.length ? groupText(group) : "";
  const rest = wanted.filter((term) => !text.includes(term));
  if (!rest.length && state.release < 0 && state.platform < 0 && !state.kind) return group.places;
  const found = [];
  for (let at = 0; at < group.places.length; at += 3) {
    const release = group.places[at], platform = group.places[at + 1], id = group.places[at + 2];
    if (state.release >= 0 && release !== state.release) continue;
    if (state.platform >= 0 && platform !== state.platform) continue;
    if (state.kind && DATA.ids[id][0] !== state.kind) continue;
    const has = (term) => lower.releases[release].includes(term) || lower.platforms[platform].includes(term) || idText(id).includes(term);
    if (rest.every(has)) found.push(release, platform, id);
  }
  return found;
}

/** Applies the filters to everything. */
function apply() {
  const wanted = terms();
  shown = [];
  DATA.groups.forEach((group, at) => {
    const places = passing(group, wanted);
    if (places.length) shown.push([at, places]);
  });
  const rows = $("rows");
  if (rows) {
    rows.replaceChildren();
    made = 0;
    more();
    if (!shown.length) rows.append(el("p", { class: "empty" }, DATA.groups.length ? "Nothing passes the filters." : "No document was compared."));
    else if (!isFiltered()) openFirst();
    else if (shown.length === 1) open(rows.querySelector(".row"), !DATA.groups[shown[0][0]].equal);
  }
  const findings = filterFindings(wanted);
  tell(findings);
  mirror();
}

/** Few differences are all open, of many the first. */
function openFirst() {
  const rows = [...document.querySelectorAll("#rows .row")].filter((row) => !DATA.groups[row.dataset.group].equal);
  for (const row of rows.slice(0, rows.length <= 3 ? 3 : 1)) open(row, true);
}

/** Puts the next rows on the page. */
function more(count = ROWS_AT_ONCE) {
  const rows = $("rows");
  if (!rows || made >= shown.length) return false;
  const some = document.createDocumentFragment();
  for (const [at, places] of shown.slice(made, made + count)) {
    const group = DATA.groups[at];
    const before = made > 0 ? DATA.groups[shown[made - 1][0]] : null;
    if (group.equal && (!before || !before.equal)) some.append(el("h3", { class: "divider" }, before ? "Counted as equal" : "All equal"));
    some.append(row(group, at, places));
    made++;
  }
  rows.append(some);
  return true;
}

/** Hides the findings that do not pass; gives how many do, and how many there are. */
function filterFindings(wanted) {
  const all = [...document.querySelectorAll(".finding")];
  let passed = 0;
  for (const item of all) {
    if (!item.text) {
      item.text = (item.textContent + " " + item.closest(".check").querySelector("h3").textContent).toLowerCase();
      item.cells = item.dataset.cells.split(" ").filter(Boolean).map((cell) => cell.split(".").map(Number));
    }
    const there = (state.release < 0 && state.platform < 0) || item.cells.some(([release, platform]) =>
      (state.release < 0 || release === state.release) && (state.platform < 0 || platform === state.platform));
    const passes = there && (!state.kind || item.dataset.kind === state.kind) && wanted.every((term) => item.text.includes(term));
    item.hidden = !passes;
    passed += passes ? 1 : 0;
  }
  for (const check of document.querySelectorAll(".check")) check.hidden = !check.querySelector(".finding:not([hidden])");
  return [passed, all.length];
}

/** Says what is shown, and marks the filters in force. */
function tell([findings, allFindings]) {
  const parts = [];
  const count = (rows) => rows.reduce((sum, [, places]) => sum + places.length / 3, 0);
  const differing = shown.filter(([at]) => !DATA.groups[at].equal);
  const documents = count(differing), kinds = differing.length;
  if ($("differences-count")) {
    $("differences-count").textContent = documents ? plural(documents, "document") + " in " + plural(kinds, "group") : "none";
  }
  if (isFiltered()) {
    const all = DATA.groups.reduce((sum, group) => sum + group.places.length / 3, 0);
    if ($("rows")) parts.push(number(count(shown)) + " of " + plural(all, "document"));
    if (allFindings) parts.push(number(findings) + " of " + plural(allFindings, "finding"));
  }
  $("status").textContent = parts.join(", ");
  $("clear").disabled = !isFiltered();
  for (const button of document.querySelectorAll("[data-filter]")) {
    const wanted = JSON.parse(button.dataset.filter);
    button.setAttribute("aria-pressed", String(Object.entries(wanted).every(([key, value]) => state[key] === value)));
  }
  $("search").value = state.text;
  $("by-release").value = state.release;
  $("by-platform").value = state.platform;
  $("by-kind").value = state.kind;
  $("by-verdict").value = state.verdict;
}

/** Keeps the filters in the address, so that a view can be passed on. */
function mirror() {
  const words = new URLSearchParams();
  if (state.text.trim()) words.set("q", state.text.trim());
  if (state.verdict) words.set("verdict", state.verdict);
  if (state.release >= 0) words.set("release", DATA.releases[state.release]);
  if (state.platform >= 0) words.set("platform", DATA.platforms[state.platform]);
  if (state.kind) words.set("kind", state.kind);
  const hash = words.toString();
  try { history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search); } catch { /* a frame may forbid it */ }
}

function fromAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  state.text = words.get("q") || "";
  state.verdict = DATA.groups.some((group) => group.verdict === words.get("verdict")) ? words.get("verdict") : "";
  state.release = words.has("release") ? DATA.releases.indexOf(words.get("release")) : -1;
  state.platform = words.has("platform") ? DATA.platforms.indexOf(words.get("platform")) : -1;
  state.kind = DATA.ids.some(([kind]) => kind === words.get("kind")) ? words.get("kind") : "";
}

/** Sets filters, or takes them back when all of them are set. */
function toggle(wanted) {
  const is = Object.entries(wanted).every(([key, value]) => state[key] === value);
  const none = { verdict: "", release: -1, platform: -1, kind: "", text: "" };
  for (const key of Object.keys(wanted)) state[key] = is ? none[key] : wanted[key];
  apply();
}

function clear() {
  Object.assign(state, { text: "", verdict: "", release: -1, platform: -1, kind: "" });
  apply();
}

/** Makes a button of what an element holds. */
function press(node, wanted, label) {
  const button = el("button", { type: "button", "data-filter": JSON.stringify(wanted), "aria-pressed": "false", title: label }, [...node.childNodes]);
  button.addEventListener("click", () => toggle(wanted));
  node.append(button);
}

function wireTable(table) {
  if (table.dataset.wired) return;
  table.dataset.wired = "1";
  const columns = [...table.tHead.rows[0].cells].slice(1);
  if (DATA.platforms.length > 1) columns.forEach((cell, at) => press(cell, { platform: at }, "Show this platform alone"));
  for (const line of table.tBodies[0].rows) {
    for (const cell of line.cells) {
      if (!cell.dataset.cell) continue;
      const [release, platform] = cell.dataset.cell.split(".").map(Number);
      if (line.cells[0].firstElementChild === null) press(line.cells[0], { release }, "Show this release alone");
      press(cell, DATA.platforms.length > 1 ? { release, platform } : { release }, "Show this cell alone");
    }
  }
}

function options(id, all, entries) {
  const select = $(id);
  select.append(el("option", { value: id === "by-release" || id === "by-platform" ? -1 : "" }, all));
  for (const [value, text] of entries) select.append(el("option", { value }, text));
  select.hidden = entries.length < 2;
}

function wire() {
  for (const chip of document.querySelectorAll("[data-verdict]")) press(chip, { verdict: chip.dataset.verdict }, chip.title);
  for (const table of document.querySelectorAll("#grid > .scroll table")) wireTable(table);
  for (const quiet of document.querySelectorAll("#grid details")) {
    quiet.addEventListener("toggle", () => wireTable(quiet.querySelector("table")), { once: true });
  }
  options("by-release", "Every release", DATA.releases.map((name, at) => [at, name]));
  options("by-platform", "Every platform", DATA.platforms.map((name, at) => [at, name]));
  const kinds = new Set(DATA.ids.map(([kind]) => kind));
  for (const item of document.querySelectorAll(".finding")) if (item.dataset.kind) kinds.add(item.dataset.kind);
  options("by-kind", "Every kind", [...kinds].sort().map((kind) => [kind, kind]));
  const verdicts = Object.keys(SIGNS).filter((verdict) => DATA.groups.some((group) => group.verdict === verdict));
  options("by-verdict", "Every verdict", verdicts.map((verdict) => [verdict, verdictWord(verdict)]));
  $("by-release").addEventListener("change", (event) => { state.release = Number(event.target.value); apply(); });
  $("by-platform").addEventListener("change", (event) => { state.platform = Number(event.target.value); apply(); });
  $("by-kind").addEventListener("change", (event) => { state.kind = event.target.value; apply(); });
  $("by-verdict").addEventListener("change", (event) => { state.verdict = event.target.value; apply(); });
  let timer = 0;
  $("search").addEventListener("input", (event) => {
    state.text = event.target.value;
    clearTimeout(timer);
    timer = setTimeout(apply, 90);
  });
  $("bar").addEventListener("submit", (event) => event.preventDefault());
  $("clear").addEventListener("click", clear);
  $("theme").addEventListener("click", changeTheme);
  $("keys").addEventListener("click", () => $("help").showModal());
  $("tools").hidden = false;
  $("bar").hidden = false;
  const sentinel = $("sentinel");
  if (sentinel) new IntersectionObserver((seen) => { if (seen.some((entry) => entry.isIntersecting)) more(); }, { rootMargin: "1500px" }).observe(sentinel);
  addEventListener("keydown", key);
  addEventListener("hashchange", () => { fromAddress(); apply(); });
  addEventListener("beforeprint", beforePrint);
}

function beforePrint() {
  more(Math.max(0, Math.min(shown.length, ROWS_IN_PRINT) - made));
  for (const article of [...document.querySelectorAll("#rows .row")].slice(0, ROWS_IN_PRINT)) {
    if (!DATA.groups[article.dataset.group].equal) open(article, true);
  }
}

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("evenkeel-theme", root.dataset.theme); } catch { /* a file may have no storage */ }
}

function step(by) {
  const items = () => [...document.querySelectorAll(".row, .item")].filter((item) => !item.hidden && item.offsetParent !== null);
  let all = items();
  const now = document.activeElement.closest(".row, .item");
  let at = now ? all.indexOf(now) + by : by > 0 ? 0 : all.length - 1;
  const isLast = now && now.classList.contains("row") && !(now.nextElementSibling);
  if (by > 0 && isLast && more()) all = items();
  at = Math.max(0, Math.min(all.length - 1, at));
  if (!all[at]) return;
  const target = all[at].querySelector(".head") || all[at];
  target.focus({ preventScroll: true });
  all[at].scrollIntoView({ block: "nearest" });
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (isFiltered()) clear();
    else return;
  } else if (typing) return;
  else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else if (event.key === "/") { $("search").focus(); $("search").select(); }
  else if (event.key === "?") $("help").showModal();
  else if (event.key === "t") changeTheme();
  else if (event.key === "x") openAll();
  else if (event.key === "b") blameAll();
  else if (event.key === "Enter" && event.target.matches(".item")) {
    const why = event.target.closest(".check");
    const details = why && why.querySelector(".why");
    if (details) details.open = !details.open;
  } else return;
  event.preventDefault();
}

function openAll() {
  const rows = [...document.querySelectorAll("#rows .row")];
  const wanted = rows.some((article) => article.querySelector(".body").hidden);
  for (const article of rows) open(article, wanted);
}

function blameAll() {
  const article = document.activeElement.closest(".row");
  if (!article) return;
  open(article, true);
  const buttons = [...article.querySelectorAll(".blame")];
  const wanted = buttons.some((button) => button.getAttribute("aria-expanded") === "false");
  for (const button of buttons) if ((button.getAttribute("aria-expanded") === "false") === wanted) button.click();
}

try {
  const theme = localStorage.getItem("evenkeel-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch { /* a file may have no storage */ }
fromAddress();
wire();
apply();
document.documentElement.dataset.ready = String(shown.length);
