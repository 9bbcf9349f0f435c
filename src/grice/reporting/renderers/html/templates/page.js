"use strict";
(() => {
  // What is open, which outcomes are shown and what is searched for: the address says it, and sets it.
  const state = { open: "", turn: "", only: [], find: "" };
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const rows = all("details.conversation");
  const filters = all("button[data-filter]");
  const search = document.querySelector("input[type=search]");
  const keys = document.getElementById("keys");
  document.documentElement.classList.add("js");

  // Conversations that are packed: a piece is unpacked when one of its conversations is opened or searched.
  const pieces = new Map();
  function piece(name) {
    if (!pieces.has(name)) pieces.set(name, unpacked(document.getElementById(name).textContent));
    return pieces.get(name);
  }
  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const json = await new Response(stream).text();
    return { json, low: json.toLowerCase(), words: new Map(), bodies: null };
  }
  // A node is a text, or a tag, its attributes and its children. Texts become text nodes and nothing else.
  function drawn(node) {
    if (typeof node === "string") return document.createTextNode(node);
    const [tag, attributes, ...children] = node;
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children.map(drawn));
    return element;
  }
  function said(node) {
    return typeof node === "string" ? node : node.slice(2).map(said).join(" ");
  }
  async function body(row) {
    const held = await piece(row.dataset.piece);
    held.bodies ||= JSON.parse(held.json);
    return held.bodies[row.dataset.place];
  }
  async function fill(row) {
    if (!row.dataset.piece || row.dataset.filled) return;
    row.dataset.filled = "yes";
    row.querySelector(".body").append(...(await body(row)).map(drawn));
  }

  // The address.
  function read() {
    const [where, ...rest] = location.hash.slice(1).split("&");
    const given = new URLSearchParams(rest.join("&"));
    const [, open, turn] = /^(.*?)(?:\.(\d+))?$/.exec(where);
    return { open, turn: turn || "", only: (given.get("only") || "").split(",").filter(Boolean), find: given.get("find") || "" };
  }
  function address() {
    const given = new URLSearchParams();
    if (state.only.length) given.set("only", state.only.join(","));
    if (state.find) given.set("find", state.find);
    return `#${[state.open + (state.turn && `.${state.turn}`), String(given)].filter((one, at) => one || !at).join("&")}`;
  }
  function go(change, { replace = false } = {}) {
    Object.assign(state, change);
    const to = address();
    if (to === (location.hash || "#")) return;
    if (replace) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
    here();
  }
  async function follow() {
    const before = state.open;
    Object.assign(state, read());
    await filter();
    const target = document.getElementById(state.open);
    if (before && before !== state.open) {
      const row = document.getElementById(before);
      if (row?.matches(".conversation")) row.open = false;
    }
    if (target) await show(target);
    here();
  }
  async function show(target) {
    for (let outer = target.parentElement; outer; outer = outer.parentElement) if (outer.matches("details")) outer.open = true;
    target.hidden = false;
    if (target.matches("details")) {
      await fill(target);
      target.open = true;
    }
    const turn = state.turn && document.getElementById(`${state.open}.${state.turn}`);
    for (const one of all(".turn.at")) one.classList.remove("at");
    if (turn) {
      turn.classList.add("at");
      turn.setAttribute("tabindex", "-1");
      turn.focus({ preventScroll: true });
    }
    (turn || target).scrollIntoView();
  }
  function here() {
    for (const link of all("nav a")) {
      const is = Boolean(state.open) && link.hash.slice(1).split(".")[0] === state.open;
      link.classList.toggle("here", is);
      if (is) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
  addEventListener("hashchange", follow);
  document.addEventListener("toggle", async ({ target: row }) => {
    if (!row.matches?.("details.conversation")) return;
    if (row.open) {
      await fill(row);
      paint();
      if (state.open !== row.id) go({ open: row.id, turn: "" });
    } else if (state.open === row.id) go({ open: "", turn: "" });
  }, true);

  // Filter and search.
  const texts = new Map();
  function text(row) {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  }
  // A packed conversation is read only where its piece, as it stands, has the words.
  async function has(row, words) {
    const left = words.filter((word) => !text(row).includes(word));
    if (!left.length || !row.dataset.piece) return !left.length;
    const held = await piece(row.dataset.piece);
    for (const word of left) {
      if (!held.words.has(word)) held.words.set(word, held.low.includes(JSON.stringify(word).slice(1, -1)));
      if (!held.words.get(word)) return false;
    }
    const within = (await body(row)).map(said).join(" ").toLowerCase();
    return left.every((word) => within.includes(word));
  }
  const lets = (name, row) => (name in row.dataset ? true : row.dataset.outcome === name);
  let asked = 0;
  async function filter() {
    const number = ++asked;
    const words = state.find.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of filters) one.setAttribute("aria-pressed", String(state.only.includes(one.dataset.filter)));
    if (search && search.value !== state.find) search.value = state.find;
    if (words.length) for (const row of rows) if (row.dataset.piece) piece(row.dataset.piece);
    const fits = [];
    for (const row of rows) {
      const wanted = !state.only.length || state.only.some((name) => lets(name, row));
      fits.push(wanted && (await has(row, words)));
      if (number !== asked) return;
    }
    rows.forEach((row, at) => { row.hidden = !fits[at]; }); // at once: a page is laid out when one waits
    const shown = fits.filter(Boolean).length;
    for (const one of all("output")) one.textContent = shown === rows.length ? "" : `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
    paint();
  }
  // The words that were searched for, where they are seen.
  function paint() {
    if (!globalThis.CSS?.highlights) return;
    const words = state.find.toLowerCase().split(/\s+/).filter(Boolean);
    const ranges = [];
    for (const row of words.length ? rows.filter((one) => !one.hidden) : []) {
      const walker = document.createTreeWalker(row.open ? row : row.firstElementChild, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && ranges.length < 2000) {
        const within = walker.currentNode.data.toLowerCase();
        for (const word of words) {
          for (let at = within.indexOf(word); at >= 0; at = within.indexOf(word, at + word.length)) {
            if (at + word.length > walker.currentNode.length) break;
            const range = new Range();
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  }
  for (const one of filters) {
    one.addEventListener("click", () => {
      const name = one.dataset.filter;
      const only = state.only.includes(name) ? state.only.filter((each) => each !== name) : [...state.only, name];
      go({ only });
      filter();
    });
  }
  let waiting;
  search?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      go({ find: search.value.trim() }, { replace: true });
      filter();
    }, 150);
  });

  // Keys.
  const seen = () => rows.filter((row) => !row.hidden && row.checkVisibility?.() !== false);
  function current() {
    const focused = document.activeElement?.closest("details.conversation");
    return focused || rows.find((row) => row.id === state.open);
  }
  function step(list, by) {
    const row = current();
    const from = row ? rows.indexOf(row) : -1;
    const after = by > 0 ? list.find((one) => rows.indexOf(one) > from) : list.findLast((one) => rows.indexOf(one) < from);
    return after || (row ? undefined : list[0]);
  }
  function move(by) {
    const row = step(seen(), by);
    row?.firstElementChild.focus();
    row?.firstElementChild.scrollIntoView({ block: "nearest" });
  }
  async function failing(by) {
    const row = step(seen().filter((one) => !["pass", "skipped"].includes(one.dataset.outcome)), by);
    if (!row) return;
    const before = document.getElementById(state.open);
    go({ open: row.id, turn: row.dataset.turn || "" });
    if (before && before !== row && before.matches("details.conversation")) before.open = false;
    row.firstElementChild.focus({ preventScroll: true });
    await show(row);
  }
  async function turn(by) {
    const row = current();
    if (!row) return;
    await fill(row);
    row.open = true;
    const turns = all(".turn", row);
    const at = turns.findIndex((one) => one.id === `${row.id}.${state.turn}`);
    const next = turns[Math.min(Math.max(at + by, 0), turns.length - 1)];
    if (!next) return;
    go({ open: row.id, turn: next.id.slice(row.id.length + 1) }, { replace: true });
    await show(row);
  }
  const acts = {
    j: () => move(1), k: () => move(-1), n: () => failing(1), p: () => failing(-1), "]": () => turn(1), "[": () => turn(-1),
    "/": () => search?.focus(), "?": () => keys.showModal(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    if (event.target.matches?.("input")) {
      if (event.key === "Escape") event.target.blur();
    } else if (Object.hasOwn(acts, event.key)) {
      event.preventDefault();
      acts[event.key]();
    }
  });
  for (const one of all("[data-keys]")) one.addEventListener("click", () => keys.showModal());
  keys.querySelector("[data-close]").addEventListener("click", () => keys.close());

  // A verdict lights the words that it is about, and words light their verdicts.
  function light({ target }) {
    const from = target.closest?.("[data-of]");
    const home = from?.closest(".body, .transcript");
    for (const one of all(".lit")) one.classList.remove("lit");
    if (!home) return;
    const wanted = from.dataset.of.split(" ");
    for (const one of all("[data-of]", home)) {
      one.classList.toggle("lit", one.dataset.of.split(" ").some((each) => wanted.includes(each)));
    }
  }
  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);

  // On paper, what did not pass is open.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = rows.filter((row) => !row.open && !["pass", "skipped"].includes(row.dataset.outcome));
    for (const row of opened) row.open = true;
  });
  addEventListener("afterprint", () => { for (const row of opened) row.open = false; });

  follow();
})();
