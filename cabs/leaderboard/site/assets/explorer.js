// The case explorer. Every text of a user enters the page as text, never as markup.
"use strict";
(async () => {
  const SIGNS = { hit: "=", slots: "~", missed: "−", hallucinated: "+", contradicted: "!" };
  const NAMES = {
    hit: "hit", slots: "wrong slot", missed: "missed", hallucinated: "hallucinated", contradicted: "contradicted",
  };
  const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  const HEIGHT = 46;
  const $ = (id) => document.getElementById(id);
  // What has no shape of its own, or would reorder the text around it, is written out.
  const shown = (text) => text.replace(UNSEEN, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.map((child) => typeof child === "string" ? document.createTextNode(shown(child)) : child));
    return node;
  };
  const isolated = (text) => make("bdi", {}, text);

  const index = await CABS.load("index");
  const state = { system: 0, at: 0, error: "", organ: "", entity: "", sort: "id", q: "", fact: null };
  const place = new Map(index.ids.map((id, at) => [id, at]));
  const words = new Map();  // text of each system and report, lower case, as far as it is loaded
  let found = [];
  let rows = [];
  let drawn = null;

  // ---- the address holds what is looked at

  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    const system = index.systems.findIndex((s) => s.slug === given.get("system"));
    state.system = Math.max(0, system);
    for (const name of ["error", "organ", "entity", "q"]) state[name] = given.get(name) ?? "";
    state.sort = given.get("sort") === "errors" ? "errors" : "id";
    state.fact = given.has("fact") ? Number(given.get("fact")) : null;
    state.at = place.get(given.get("id")) ?? null;
  };
  const address = () => {
    const said = new URLSearchParams();
    if (state.at !== null) said.set("id", index.ids[state.at]);
    said.set("system", index.systems[state.system].slug);
    for (const name of ["error", "organ", "entity", "q"]) if (state[name]) said.set(name, state[name]);
    if (state.sort !== "id") said.set("sort", state.sort);
    if (state.fact !== null) said.set("fact", state.fact);
    return `#${said}`;
  };
  const write = () => { if (location.hash !== address()) history.replaceState(null, "", address()); };

  // ---- which cases are shown

  const number = (list, id) => list.findIndex((item) => (Array.isArray(item) ? item[0] : item) === id);
  const fits = (row, wanted) => {
    const [status, entries] = row;
    if (wanted.status !== null) return status === wanted.status;
    if (!wanted.any) return true;
    return entries.some(([mark, entity, organ, ...errors]) =>
      (wanted.organ === null || organ === wanted.organ) && (wanted.entity === null || entity === wanted.entity) &&
      (wanted.mark === null || mark === wanted.mark) && (wanted.error === null || errors.includes(wanted.error)) &&
      (!wanted.wrong || mark !== 0));
  };
  const wanted = () => {
    const [kind, name] = state.error.includes(":") ? state.error.split(":") : [state.error, ""];
    const found = {
      status: kind === "status" ? index.statuses.indexOf(name) : null,
      mark: kind === "mark" ? index.marks.indexOf(name) : null,
      error: kind === "error" ? index.errors.indexOf(name) : null,
      wrong: kind === "any",
      organ: state.organ ? number(index.organs, state.organ === "unknown" ? "" : state.organ) : null,
      entity: state.entity ? number(index.entities, state.entity) : null,
    };
    found.any = found.wrong || ["mark", "error", "organ", "entity"].some((key) => found[key] !== null);
    return found;
  };
  const labels = () => index.entities.map(([, label]) => label.toLowerCase());
  const select = () => {
    const want = wanted();
    const q = state.q.trim().toLowerCase();
    const named = q ? labels() : [];
    found = [];
    for (let at = 0; at < rows.length; at++) {
      if (!fits(rows[at], want)) continue;
      if (q && !index.ids[at].toLowerCase().includes(q) &&
        !(words.get(`${state.system}-${at}`) ?? "").includes(q) &&
        !rows[at][1].some(([, entity]) => named[entity].includes(q))) continue;
      found.push(at);
    }
    if (state.sort === "errors") {
      const wrong = (at) => rows[at][1].filter(([mark]) => mark !== 0).length;
      found = found.map((at) => [wrong(at), at]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).map(([, at]) => at);
    }
    $("count").textContent = `${found.length} of ${rows.length} cases`;
    $("list").hidden = found.length === 0;
    $("nothing").hidden = found.length !== 0;
    $("room").style.height = `${found.length * HEIGHT}px`;
    drawn = null;
    draw();
  };

  // ---- the list draws only what is in sight

  const tally = (row) => {
    if (row[0] === index.statuses.indexOf("unscored")) return [make("span", { class: "soft" }, "unscored")];
    const counts = index.marks.map((_, mark) => row[1].filter((entry) => entry[0] === mark).length);
    const signs = index.marks.flatMap((mark, at) => counts[at] === 0 ? [] :
      [make("span", { class: `sign ${mark}`, title: NAMES[mark] }, `${SIGNS[mark]}${counts[at]}`)]);
    const silent = row[0] ? [make("span", { class: "soft" }, index.statuses[row[0]])] : [];
    return signs.length || silent.length ? [...signs, ...silent] : [make("span", { class: "soft" }, "nothing stated")];
  };
  const option = (position) => {
    const at = found[position];
    const node = make("div", {
      class: "option", role: "option", id: `case-${at}`, "aria-selected": String(at === state.at),
      "aria-setsize": found.length, "aria-posinset": position + 1,
    }, make("span", { class: "id" }, isolated(index.ids[at])), make("span", { class: "tally" }, ...tally(rows[at])));
    node.style.top = `${position * HEIGHT}px`;
    node.addEventListener("click", () => open(at));
    return node;
  };
  const draw = () => {
    const list = $("list");
    const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 4);
    const last = Math.min(found.length, Math.ceil((list.scrollTop + (list.clientHeight || 400)) / HEIGHT) + 4);
    const key = `${first} ${last} ${state.at} ${state.system}`;
    if (key === drawn) return;
    drawn = key;
    $("room").replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, i) => option(first + i)));
    const chosen = $(`case-${state.at}`);
    if (chosen) list.setAttribute("aria-activedescendant", chosen.id); else list.removeAttribute("aria-activedescendant");
  };
  const reveal = () => {
    const list = $("list");
    const top = found.indexOf(state.at) * HEIGHT;
    if (top < 0) return;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + HEIGHT - list.clientHeight;
  };

  // ---- one case

  const pieces = (text, entries, side) => {
    const spans = [];
    entries.forEach((entry, number) => {
      const fact = side ? entry.p : entry.r;
      if (fact) {
        spans.push([...fact.m, number, "m"]);
        for (const sentence of fact.e) spans.push([...sentence, number, "e"]);
      }
      for (const [where, start, end] of entry.d) if (where === side) spans.push([start, end, number, "d"]);
    });
    const inside = spans.filter(([start, end]) => start < end && end <= text.length);
    const cuts = [...new Set([0, text.length, ...inside.flatMap(([start, end]) => [start, end])])].sort((a, b) => a - b);
    return cuts.slice(0, -1).map((start, i) => {
      const over = inside.filter((span) => span[0] <= start && span[1] > start);
      const of = (kind) => over.filter((span) => span[3] === kind).map((span) => span[2]);
      const begins = over.filter((span) => span[3] === "m" && span[0] === start).map((span) => span[2]);
      return { text: text.slice(start, cuts[i + 1]), m: of("m"), e: of("e"), d: of("d"), begins };
    });
  };
  const WORST = ["contradicted", "hallucinated", "missed", "slots", "hit"];
  const markOf = (entry) => index.marks[entry.m];
  const badge = (entries, number) =>
    make("span", { class: `badge ${markOf(entries[number])}` }, `${number + 1}${SIGNS[markOf(entries[number])]}`);
  const piece = (part, entries) => {
    if (part.m.length) {
      const worst = WORST.find((mark) => part.m.some((number) => markOf(entries[number]) === mark));
      const told = part.m.map((number) => `fact ${number + 1}, ${NAMES[markOf(entries[number])]}`).join("; ");
      return make("mark", {
        class: worst, role: "button", tabindex: 0, "data-facts": part.m.join(" "), "aria-label": `${shown(part.text)}: ${told}`,
      }, ...part.begins.map((number) => badge(entries, number)), part.text);
    }
    return part.d.length ? make("span", { class: "denies" }, part.text) : make("span", {}, part.text);
  };
  const lights = [];
  const side = (name, text, entries, which) => {
    const box = make("section", { class: "side", "aria-labelledby": `head-${name}` },
      make("h2", { id: `head-${name}` }, which ? `Prediction of ` : "Reference"));
    if (which) box.firstChild.append(isolated(index.systems[state.system].name));
    if (text === null || text === undefined) {
      box.append(make("p", { class: "none" }, which && index.statuses[rows[state.at][0]] === "missing" ? "missing"
        : index.text ? "facts without their text" : "no text on this site"));
      return box;
    }
    const body = make("div", { class: "text", lang: "en" });
    for (const part of pieces(text, entries, which)) {
      const node = piece(part, entries);
      lights.push([node, new Set([...part.m, ...part.e, ...part.d])]);
      body.append(node);
    }
    if (!text) body.append(make("span", { class: "none" }, "empty"));
    box.append(body);
    return box;
  };
  const wordsOf = (fact) => fact ? [isolated(fact.w), make("span", { class: "soft" }, ` (${fact.x})`)] : [];
  const fact = (entry, number) => {
    const mark = markOf(entry);
    const row = make("tr", { tabindex: 0, id: `fact-${number}`, "data-facts": number, class: entry.c ? null : "aside" },
      make("th", { scope: "row" }, make("span", { class: `badge ${mark}` }, `${number + 1}${SIGNS[mark]}`), ` ${NAMES[mark]}`),
      make("td", { "data-of": "reference" }, ...wordsOf(entry.r)),
      make("td", { "data-of": "prediction" }, ...wordsOf(entry.p)));
    const wrong = entry.w.length ? [make("ul", {}, ...entry.w.map((said) => make("li", {}, isolated(said))))] : [];
    row.append(make("td", {}, ...wrong, ...(entry.c ? [] : [make("small", {}, "of a kind that is not scored here")])));
    return row;
  };
  const facts = (entries) => {
    if (!entries.length) return make("p", { class: "none" }, "Neither side states an abnormality.");
    const head = ["what", "reference", "prediction", "what is wrong"].map((text) => make("th", { scope: "col" }, text));
    return make("table", { class: "facts" }, make("caption", { class: "unseen" }, "Facts of both sides"),
      make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...entries.map(fact)));
  };
  const light = (number, stays) => {
    for (const [node, of] of lights) node.classList.toggle("lit", number !== null && of.has(number));
    document.querySelectorAll(".facts tbody tr").forEach((row, at) => row.classList.toggle("chosen", at === number));
    if (stays) { state.fact = number; write(); }
  };
  const numbers = (node) => node?.dataset?.facts?.split(" ").map(Number) ?? [];
  const link = (box) => {
    const over = (event) => event.target.closest("[data-facts]");
    box.addEventListener("mouseover", (event) => { const [n] = numbers(over(event)); if (n !== undefined) light(n, false); });
    box.addEventListener("mouseout", () => light(state.fact, false));
    box.addEventListener("focusin", (event) => { const [n] = numbers(over(event)); if (n !== undefined) light(n, false); });
    const choose = (event) => {
      const all = numbers(over(event));
      if (!all.length) return;
      const next = all[(all.indexOf(state.fact) + 1) % all.length];
      light(all.length === 1 && next === state.fact ? null : next, true);
      meet(event.target.closest("tr") ? "mark" : "row");
    };
    box.addEventListener("click", choose);
    box.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && over(event)) { event.preventDefault(); choose(event); }
    });
  };
  const meet = (what) => {
    if (state.fact === null) return;
    const to = what === "row" ? $(`fact-${state.fact}`) : document.querySelector("mark.lit");
    to?.scrollIntoView({ block: "nearest" });
  };
  const systems = () => index.systems.length < 2 ? [] : [make("div", { class: "systems", role: "group", "aria-label": "System" },
    ...index.systems.map((system, k) => {
      const button = make("button", { type: "button", "aria-pressed": String(k === state.system) }, isolated(system.name));
      button.addEventListener("click", () => change({ system: k }));
      return button;
    }))];
  const score = (value, at) => make("span", {}, `${index.metrics[at]} ${value === null ? "–" : value.toFixed(3)}`);
  const key = () => make("ul", { class: "key", "aria-label": "Marks" }, ...index.marks.map((mark) =>
    make("li", {}, make("span", { class: mark }, make("span", { class: `badge ${mark}` }, SIGNS[mark]), NAMES[mark]))));
  const step = (by, text) => {
    const button = make("button", { type: "button", class: "no-print" }, text);
    button.addEventListener("click", () => move(by));
    return button;
  };
  let turn = 0;
  const show = async () => {
    const box = $("case");
    if (state.at === null) { box.replaceChildren(make("p", { class: "none" }, "No case is chosen.")); return; }
    const mine = ++turn;
    const [at, k, n] = [state.at, state.system, Math.floor(state.at / index.piece)];
    let texts, cases;
    try {
      [texts, cases] = await Promise.all([CABS.load("texts", n), CABS.load("cases", k, n)]);
    } catch (error) {
      box.replaceChildren(make("p", { role: "alert" }, `The data of this case could not be loaded (${error.message}).`));
      return;
    }
    if (mine !== turn) return;
    const entry = cases[at % index.piece];
    lights.length = 0;
    const head = make("div", { class: "case-head" }, make("h1", {}, isolated(index.ids[at])), step(-1, "previous"), step(1, "next"));
    const inner = make("div", {}, head, ...systems(),
      entry.y ? make("p", {}, "Unscored: ", isolated(entry.y)) : make("div", { class: "scores" }, ...entry.s.map(score)), key(),
      make("div", { class: "sides" }, side("reference", texts[at % index.piece], entry.e, 0), side("prediction", entry.t, entry.e, 1)),
      facts(entry.e));
    link(inner);
    box.replaceChildren(inner);
    document.title = `${shown(index.ids[at])} · ${shown(index.systems[k].name)} · ${document.body.dataset.title}`;
    if (state.fact !== null && state.fact < entry.e.length) light(state.fact, false); else state.fact = null;
    const row = inner.querySelector(".systems");
    const pressed = row?.querySelector("[aria-pressed=true]");
    if (pressed) row.scrollLeft = pressed.offsetLeft - row.offsetLeft - 40;
    box.dataset.shown = `${k} ${at}`;
  };

  // ---- what the reader does

  const open = (at) => { state.at = at; state.fact = null; write(); reveal(); draw(); return show(); };
  const move = (by) => {
    const here = found.indexOf(state.at);
    const next = here < 0 ? (by > 0 ? 0 : found.length - 1) : here + by;
    if (found[next] !== undefined) open(found[next]);
  };
  const change = async (news) => {
    Object.assign(state, news);
    if ("system" in news) {
      rows = await CABS.load("rows", state.system);
      $("system").value = state.system;
      if (state.q) search();
    }
    select();
    if (found.length && !found.includes(state.at) && !("system" in news)) state.at = found[0];
    state.fact = null;
    write();
    reveal();
    draw();
    await show();
  };
  let searching = 0;
  const search = async () => {
    const mine = ++searching;
    const k = state.system;
    const count = Math.ceil(index.ids.length / index.piece);
    if (!index.text || !state.q.trim()) return;
    for (let n = 0; n < count; n++) {
      if (words.has(`${k}-${n * index.piece}`)) continue;
      const [texts, cases] = await Promise.all([CABS.load("texts", n), CABS.load("cases", k, n)]);
      cases.forEach((entry, i) => words.set(`${k}-${n * index.piece + i}`, `${texts[i] ?? ""}\n${entry.t ?? ""}`.toLowerCase()));
      if (mine !== searching) return;
      $("count").textContent = `reading texts: ${n + 1} of ${count}`;
    }
    if (mine === searching) select();
  };
  const choices = (select, groups) => {
    for (const [group, items] of groups) {
      const options = items.map(([value, text]) => make("option", { value }, text));
      select.append(...(group ? [Object.assign(make("optgroup", {}, ...options), { label: group })] : options));
    }
  };
  const spaced = (name) => name.replaceAll("_", " ");
  const sorted = (items) => [...items].sort((a, b) => a[1].localeCompare(b[1], "en"));
  choices($("system"), [["", index.systems.map((system, k) => [k, system.name])]]);
  choices($("error"), [
    ["", [["", "everything"], ["any", "any error"]]],
    ["marks", index.marks.map((mark) => [`mark:${mark}`, `${SIGNS[mark]} ${NAMES[mark]}`])],
    ["errors", [...index.errors].sort().map((name) => [`error:${name}`, spaced(name)])],
    ["reports", index.statuses.map((status) => [`status:${status}`, status])],
  ]);
  choices($("organ"), [["", [["", "every organ"], ...sorted(index.organs.map(([id, label]) => [id || "unknown", label]))]]]);
  choices($("entity"), [["", [["", "every finding"], ...sorted(index.entities)]]]);

  const fill = () => {
    for (const name of ["system", "error", "organ", "entity", "sort"]) $(name).value = state[name];
    $("search").value = state.q;
  };
  for (const name of ["error", "organ", "entity", "sort"]) {
    $(name).addEventListener("change", (event) => change({ [name]: event.target.value }));
  }
  $("system").addEventListener("change", (event) => change({ system: Number(event.target.value) }));
  let waiting = null;
  $("search").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => { await change({ q: event.target.value }); await search(); }, 150);
  });
  $("clear").addEventListener("click", () => { Object.assign(state, { error: "", organ: "", entity: "", q: "", sort: "id" }); fill(); change({}); });
  $("list").addEventListener("scroll", draw, { passive: true });
  addEventListener("resize", () => { drawn = null; draw(); });
  if (matchMedia("(max-width: 60rem)").matches) $("more").open = false;
  const help = $("help");
  $("ask").addEventListener("click", () => help.showModal());
  const KEYS = {
    ArrowDown: () => move(1), ArrowUp: () => move(-1), j: () => move(1), k: () => move(-1),
    Home: () => found.length && open(found[0]), End: () => found.length && open(found.at(-1)),
    PageDown: () => move(Math.min(10, found.length - 1 - found.indexOf(state.at))),
    PageUp: () => move(-Math.min(10, found.indexOf(state.at))),
    s: () => change({ system: (state.system + 1) % index.systems.length }),
    n: () => next(1), p: () => next(-1), "/": () => $("search").focus(), "?": () => help.showModal(),
    Escape: () => light(null, true),
  };
  const next = (by) => {
    const all = document.querySelectorAll(".facts tbody tr");
    if (!all.length) return;
    const to = state.fact === null ? (by > 0 ? 0 : all.length - 1) : (state.fact + by + all.length) % all.length;
    light(to, true);
    all[to].focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const typing = event.target.matches("input, select, textarea");
    if (typing) { if (event.key === "Escape") event.target.blur(); return; }
    const moves = event.key.length > 1 && event.key !== "Escape";
    if (moves && event.target !== $("list")) return;
    const does = KEYS[event.key];
    if (does) { event.preventDefault(); does(); }
  });
  addEventListener("hashchange", async () => { read(); await start(); });

  const start = async () => {
    rows = await CABS.load("rows", state.system);
    fill();
    select();
    if (state.at === null) state.at = found[0] ?? null;
    reveal();
    draw();
    await show();
    write();
    if (state.q) search();
    document.body.dataset.ready = "yes";
  };
  read();
  await start();
})();
