"use strict";
document.documentElement.classList.add("js");
(() => {
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const one = (what, within = document) => within.querySelector(what);
  const keys = document.getElementById("keys");
  const said = document.getElementById("said");
  function say(words) {
    said.textContent = words;
    clearTimeout(say.waiting);
    say.waiting = setTimeout(() => { said.textContent = ""; }, 6000);
  }

  const SILENT = "The server does not answer. Is grice serve still there?";
  const ENDED = "This browser is not let in any more: open the link of grice serve again.";

  // A filter's address has no field that is empty; what is shown already is not asked for again.
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters } = event.detail;
    for (const name of [...Object.keys(parameters)]) if (parameters[name] === "") delete parameters[name];
    const query = (entries) => new URLSearchParams([...entries].sort()).toString();
    if (elt.matches("form[data-live]") && query(Object.entries(parameters)) === query(new URLSearchParams(location.search))) event.preventDefault();
  });
  document.addEventListener("htmx:responseError", ({ detail }) => {
    const { responseText: text, status } = detail.xhr;
    const answer = new DOMParser().parseFromString(text, "text/html");
    say(status === 401 ? ENDED : one("h1", answer)?.textContent || `It did not work (${status}).`);
  });
  document.addEventListener("htmx:sendError", () => say(SILENT));
  // What went on has ended: the rest of the page has more to say now.
  let running = Boolean(one("[data-running]"));
  const events = one("[data-events]") && new EventSource(one("[data-events]").dataset.events);
  let asked;
  for (const kind of events ? ["begun", "result", "state"] : []) {
    events.addEventListener(kind, () => {
      clearTimeout(asked);
      asked = setTimeout(() => one("[data-events]") && htmx.trigger("#list", "refresh"), 300);
    });
  }
  document.addEventListener("htmx:afterSwap", () => {
    const still = Boolean(one("[data-running]"));
    if (running && !still) location.reload();
    running = still;
  });

  // The first field of a form that is opened has the focus.
  document.addEventListener("click", ({ target }) => {
    const opening = target.closest?.("summary")?.parentElement;
    if (opening && !opening.open) setTimeout(() => one(":scope > form input:not([type='file'])", opening)?.focus());
  });

  // What is opened is asked for then.
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches?.("details[data-load]") || !target.open || target.dataset.loaded) return;
    target.dataset.loaded = "yes";
    htmx.ajax("GET", target.dataset.load, { source: target, target: one("[data-into]", target), swap: "innerHTML" });
  }, true);

  // Turns.
  const turns = () => all(".turn");
  const number = (turn) => Number(turn.id.slice(2));
  async function loaded(wanted) {
    const there = () => document.getElementById(`t.${wanted}`);
    const later = all(".later").find((each) => Number(each.dataset.first) <= wanted && wanted <= Number(each.dataset.last));
    if (there() || !later) return there();
    await new Promise((done) => {
      document.addEventListener("htmx:afterSettle", function wait() {
        if (!there()) return;
        document.removeEventListener("htmx:afterSettle", wait);
        done();
      });
      htmx.trigger(later, "want");
    });
    return there();
  }
  async function show(wanted, { push = true } = {}) {
    const turn = await loaded(wanted);
    if (!turn) return;
    for (const each of all(".turn.at")) each.classList.remove("at");
    turn.classList.add("at");
    turn.setAttribute("tabindex", "-1");
    turn.focus({ preventScroll: true });
    turn.scrollIntoView({ block: "start" });
    if (push) history.replaceState(null, "", `?turn=${wanted}#t.${wanted}`);
  }
  function step(by) {
    const at = one(".turn.at");
    const seen = turns();
    const first = () => seen.find((turn) => turn.getBoundingClientRect().bottom > 60);
    const from = at || first();
    if (!from) return;
    show(at ? number(from) + by : number(from) + (by < 0 ? by : 0));
  }
  const body = document.getElementById("conversation");
  const hash = /^#t\.(\d+)$/.exec(location.hash);
  if (body && (hash || (one(".later") && Number(body.dataset.turn)))) show(Number(hash ? hash[1] : body.dataset.turn), { push: Boolean(hash) });

  // A verdict lights the words that it is about, and words light their verdicts; a click goes there.
  function light(target) {
    const from = target.closest?.("[data-of]");
    const home = from?.closest(".body");
    for (const each of all(".lit")) each.classList.remove("lit");
    if (!home) return [];
    const wanted = from.dataset.of.split(" ");
    const found = all("[data-of]", home).filter((each) => each.dataset.of.split(" ").some((name) => wanted.includes(name)));
    for (const each of found) each.classList.add("lit");
    return found;
  }
  let kept = null;
  document.addEventListener("pointerover", ({ target }) => { if (!kept || target.closest?.("[data-of]")) light(target); });
  document.addEventListener("focusin", ({ target }) => light(target));

  document.addEventListener("click", async (event) => {
    const target = event.target.closest("a, button, [data-of], summary");
    if (!target) { kept = null; return; }
    if (target.matches("[data-keys]")) keys.showModal();
    else if (target.matches("[data-close]")) keys.close();
    else if (target.matches("[data-copy]")) copy(target);
    else if (target.matches("[data-post]")) post(target);
    else if (target.matches("[data-delete]")) takeAway(target);
    else if (target.matches("[data-focus]")) one(target.dataset.focus).focus();
    else if (target.matches("[data-turn]") && body && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      show(Number(target.dataset.turn));
    } else if (target.matches("[data-of]")) {
      kept = target;
      const other = light(target).find((each) => each.localName !== target.localName);
      other?.scrollIntoView({ block: "nearest" });
    }
  });
  async function fetched(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  }
  async function copy(button) {
    try {
      await navigator.clipboard.writeText(button.dataset.text ?? await fetched(button.dataset.copy));
      say(`${button.textContent}: it is in the clipboard.`);
    } catch (error) {
      say(`It could not be copied: ${error.message}`);
    }
  }
  // What changes something: a route of the API, with the version that was read where it needs one.
  async function ask(address, { method = "POST", body, match } = {}) {
    const headers = { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...(match ? { "If-Match": match } : {}) };
    const answer = await fetch(address, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }).catch(() => { throw new Error(SILENT); });
    const told = answer.status === 204 ? {} : await answer.json();
    if (!answer.ok) throw new Error([told.error, ...(told.details || []).map((each) => `${each.field}: ${each.message}`)].join("; "));
    return told;
  }
  const go = (address, told = {}) => {
    const wanted = (address || location.href).replace(/\{(\w+)\}/g, (_, name) => String(told[name] || "").split("/").map(encodeURIComponent).join("/"));
    if (new URL(wanted, location.href).href === location.href) location.reload();
    else location.assign(wanted);
  };
  async function working(button, work) {
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      say(error.message);
    }
    button.disabled = false;
  }
  const post = (button) => working(button, async () => {
    const body = JSON.parse(button.dataset.body || "{}");
    for (const each of button.dataset.with ? all(button.dataset.with) : []) if (each.value) body[each.name] = each.value;
    go(button.dataset.then, await ask(button.dataset.post, { body }));
  });
  const takeAway = (button) => working(button, async () => {
    const { undo } = await ask(button.dataset.delete, { method: "DELETE", match: button.dataset.match });
    sessionStorage.setItem("undo", JSON.stringify({ undo, words: button.dataset.words }));
    go(button.dataset.then);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-send]")) return;
    event.preventDefault();
    const body = JSON.parse(form.dataset.body || "{}");
    for (const each of form.elements) if (each.name && each.value) body[each.name] = "number" in each.dataset ? Number(each.value) : each.value;
    const { method, match, then } = form.dataset;
    const button = event.submitter || one("button", form);
    working(button, async () => go(then, await ask(button.dataset.send || form.dataset.send, { method, match, body })));
  });
  document.addEventListener("change", async ({ target }) => {
    if (target.matches("[data-change]")) {
      const { change, match } = target.dataset;
      try {
        const told = await ask(change, { method: "PATCH", match, body: { [target.name]: target.value } });
        target.dataset.match = told.fingerprint;
        target.dataset.kept = target.value;
        say(`${target.getAttribute("aria-label")}: ${target.value}`);
      } catch (error) {
        target.value = target.dataset.kept ?? one("option[selected]", target).value;
        say(error.message);
      }
    } else if (target.matches("[data-fill]") && target.files[0]) one(target.dataset.fill).value = await target.files[0].text();
  });
  const undo = document.getElementById("undo");
  const deleted = undo && JSON.parse(sessionStorage.getItem("undo"));
  if (deleted) {
    const button = (words, more) => Object.assign(document.createElement("button"), { type: "button", textContent: words, ...more });
    const gone = () => { sessionStorage.removeItem("undo"); undo.hidden = true; };
    const back = button("Undo", { onclick: () => working(back, async () => { await ask(`/api/deletions/${deleted.undo}/undo`); gone(); go(); }) });
    back.dataset.key = "z";
    undo.append(`Deleted ${deleted.words}.`, back, button("Dismiss", { onclick: gone }));
    undo.hidden = false;
  }

  // Keys.
  const rows = (bad) => all(bad ? "[data-row][data-bad]" : "[data-row]").filter((row) => row.checkVisibility?.() !== false);
  function move(by, bad) {
    const list = rows(bad);
    const here = document.activeElement?.closest("[data-row]");
    const before = (row) => Boolean(here && row.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING);
    const behind = (row) => Boolean(here && row.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_PRECEDING);
    const next = !here ? list[0] : by > 0 ? list.find(behind) : list.findLast(before);
    const link = next && (one("[data-open]", next) || next);
    link?.focus();
    link?.scrollIntoView({ block: "nearest" });
  }
  const follow = (what) => one(what)?.click();
  const acts = {
    j: () => move(1), k: () => move(-1),
    n: () => (rows(true).length ? move(1, true) : follow("[data-next]")),
    p: () => (rows(true).length ? move(-1, true) : follow("[data-previous]")),
    "]": () => step(1), "[": () => step(-1),
    "/": () => one("input[type=search]")?.focus(), u: () => follow("[data-up]"), "?": () => keys.showModal(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    if (event.target.matches?.("input:not([type=radio]):not([type=checkbox]), select, textarea")) {
      if (event.key === "Escape") {
        event.preventDefault(); // which would empty a search
        event.target.blur();
      }
      return;
    }
    const own = all("[data-key]").find((each) => each.dataset.key === event.key);
    if (own) {
      event.preventDefault();
      if (own.matches("summary")) own.focus();
      own.click();
    } else if (Object.hasOwn(acts, event.key)) {
      event.preventDefault();
      acts[event.key]();
    }
  });
  function list(each) {
    const row = document.createElement("div");
    const key = document.createElement("dt");
    key.append(Object.assign(document.createElement("kbd"), { textContent: each.dataset.key }));
    row.append(key, Object.assign(document.createElement("dd"), { textContent: each.textContent.trim().toLowerCase() }));
    one("dl", keys).append(row);
    each.dataset.listed = "yes";
  }
  const listAll = () => all("[data-key]:not([data-listed])").forEach(list);
  document.addEventListener("htmx:afterSettle", listAll);
  listAll();
})();
