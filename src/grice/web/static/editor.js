"use strict";
// The editor of a case. Here is only what was typed: the server says which matchers there are, how each
// assertion stands, and why. What it answers is put into the page as text, never as markup.
(() => {
  const editor = document.getElementById("editor");
  const byId = (id) => document.getElementById(id);
  const may = editor.dataset.may.split(" ");
  const placeholders = JSON.parse(editor.dataset.placeholders);
  const dialog = byId("dialog");

  // -- JSON: a number that JavaScript would write otherwise (1.0, or one of 20 digits) stays as it was written

  const parse = (text) => JSON.parse(text, (_, value, context) => {
    const otherwise = typeof value === "number" && context?.source && JSON.stringify(value) !== context.source;
    return otherwise && JSON.rawJSON ? JSON.rawJSON(context.source) : value;
  });
  const json = (value, space) => JSON.stringify(value, null, space);
  const same = (one, other) => json(one) === json(other);
  const isNumber = (value) => typeof value === "number" || Boolean(JSON.isRawJSON?.(value));
  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !isNumber(value);
  const isEmpty = (value) => value === "" || (value !== null && typeof value === "object" && !isNumber(value) && Object.keys(value).length === 0);
  const withoutEmpty = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== false && !isEmpty(value)));
  const changed = (object, changes) => Object.fromEntries(Object.entries({ ...object, ...changes }).filter(([, value]) => value !== undefined));
  const readable = (value) => (json(value).length > 60 ? json(value, 2) : json(value));
  const parsed = (text) => { try { return [parse(text)]; } catch { return []; } };

  // -- the page

  function el(tag, props = {}, ...within) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(props)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (name in made && name !== "list") made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...within.filter((one) => one !== null && one !== undefined && one !== false));
    return made;
  }
  const button = (text, onclick, more = {}) => el("button", { type: "button", onclick, ...more }, text);
  const field = (label, control, more = "") => el("label", { className: `field ${more}` }, label, control);
  const tick = (label, checked, set, more = {}) => el("label", { className: "tick" }, el("input", { type: "checkbox", checked, onchange: ({ target }) => set(target.checked), ...more }), label);
  const choice = (options, value, set, more = {}) => {
    const made = el("select", { onchange: ({ target }) => set(target.value), ...more }, ...options.map((one) => (Array.isArray(one) ? el("option", { value: one[0] }, one[1]) : el("option", { value: one }, one))));
    made.value = value;
    return made;
  };
  const counted = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
  const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);
  const say = (...words) => byId("summary").replaceChildren(...words);
  function openDialog(title, ...within) {
    byId("dialog-title").textContent = title;
    dialog.lastElementChild.replaceChildren(...within);
    if (!dialog.open) dialog.showModal();
  }
  /** Draw something anew; the control with the focus keeps it. */
  function keepingFocus(draw) {
    const { id } = document.activeElement;
    draw();
    if (id && document.activeElement.id !== id) byId(id)?.focus({ preventScroll: true });
  }

  // -- asking the server: of questions of one name only the last is answered

  const asking = {};
  async function ask(method, path, body, { name = "", tag = "" } = {}) {
    asking[name]?.abort();
    const control = new AbortController();
    if (name) asking[name] = control;
    const headers = { "Content-Type": "application/json", ...(tag ? { "If-Match": tag } : {}) };
    const answer = await fetch(path, { method, headers, signal: control.signal, body: body === undefined ? undefined : json(body) }).catch((error) => {
      throw error.name === "AbortError" ? error : new Error("the server does not answer. Is grice serve still there?");
    });
    const text = await answer.text();
    const [told] = parsed(text);
    if (!answer.ok) throw Object.assign(new Error(told?.error || `the server answers ${answer.status}`), { status: answer.status, told });
    return { told, tag: answer.headers.get("ETag") };
  }
  const waiting = {};
  function later(name, work, ms = 150) {
    clearTimeout(waiting[name]);
    waiting[name] = setTimeout(() => attempt(work), ms);
  }
  async function attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (error.name !== "AbortError") say(sentence(error.message));
      return undefined;
    }
  }

  // -- what is edited

  const NAMES = ["name", "description", "runMode", "inputs", "say", "turns", "history", "agent", "model", "tools", "expectedOutput", "outputType", "shouldTrimWhitespace", "assertions", "evaluate"];
  const picked = (told) => Object.fromEntries(NAMES.map((name) => [name, told[name]]));
  const state = { address: editor.dataset.case, fields: {}, base: {}, tag: "", turns: [], split: false, rows: [], removed: [], target: null, on: "reply", source: "last", texts: { last: "", pasted: "", one: "" }, before: "", run: "", runs: null, refused: false, saves: 0 };
  const wrong = new Map(); // what cannot be sent yet, by the id of its control: its text, and what is wrong
  let matchers = new Map();
  let number = 0;

  const rowOf = (check, soft = false, turn = null) => ({ id: `r${++number}`, check, soft, turn, kept: {}, keptOptions: {}, raw: false, open: false });
  function load(fields) {
    state.fields = fields;
    state.split = fields.turns !== null;
    const said = fields.turns ?? (fields.say === null ? [] : [fields.say].flat().map((one) => ({ say: one })));
    state.turns = said.map((one) => ({ id: `t${++number}`, fields: one }));
    const of = (held, turn, hard) => [...(held[hard] ?? []).map((one) => rowOf(one, false, turn)), ...(held.evaluate ?? []).map((one) => rowOf(one, true, turn))];
    state.rows = [...of(fields, null, "assertions"), ...(state.split ? state.turns.flatMap((turn) => of(turn.fields, turn, "expect")) : [])];
    state.removed = [];
    wrong.clear();
  }
  const checksOf = (turn, soft) => state.rows.filter((row) => row.turn === turn && row.soft === soft);
  function fieldsOf() {
    const checks = (turn, soft) => checksOf(turn, soft).map((row) => row.check);
    const found = { ...state.fields, assertions: checks(null, false), evaluate: checks(null, true) };
    if (state.split) {
      const some = (list, before) => (list.length || before ? list : undefined);
      found.say = null;
      found.turns = state.turns.map((turn) => changed(turn.fields, { expect: some(checks(turn, false), turn.fields.expect), evaluate: some(checks(turn, true), turn.fields.evaluate) }));
    } else if (state.turns.length) {
      const texts = state.turns.map((turn) => turn.fields.say);
      found.say = texts.length === 1 && !Array.isArray(state.base.say) ? texts[0] : texts;
      found.turns = null;
    } else found.say = found.turns = null;
    return found;
  }
  /** What is still to be typed into a row, "" when nothing is: no mistake as long as nobody saves it. */
  function toDo({ check }) {
    if (!check.matcher) return "choose a matcher";
    const waits = matchers.get(check.matcher)?.required && check.expected === undefined && !check.options;
    return waits ? "say what is expected" : "";
  }
  /** Have a row ask what was clicked: nothing of what its matcher had before stays. */
  function replace(row, changes) {
    dropDrafts(row);
    row.raw = false;
    row.check = changed(row.check, { options: undefined, ...changes });
  }
  function dropDrafts(row) {
    for (const id of [...wrong.keys()]) if (/-(expected|options)/.test(id) && id.startsWith(`${row.id}-`)) wrong.delete(id);
  }
  const isDirty = () => !editor.inert && (wrong.size > 0 || !same(fieldsOf(), state.base));
  /** Something was typed: what the server says of it is asked for when there is a moment. */
  function touched() {
    for (const id of wrong.keys()) if (!byId(id)) wrong.delete(id);
    tellSaved();
    const { saves } = state;
    later("preview", () => attempt(() => judge(saves)), 120);
    later("check", check, 400);
  }
  function tellSaved() {
    const dirty = isDirty();
    byId("dirty").textContent = dirty ? "not saved" : "saved";
    byId("save").toggleAttribute("data-dirty", dirty);
    byId("assertions-title").lastElementChild.textContent = state.rows.length;
    byId("examples").hidden = state.rows.length > 0;
    byId("undo-remove").hidden = state.removed.length === 0;
    byId("beside")?.toggleAttribute("hidden", state.rows.length === 0);
    const told = { messages: state.turns.length ? counted(state.turns.length, "turn") : editor.dataset.prompt ? "inputs of the prompt" : "none", expected: state.fields.expectedOutput === null ? "none" : state.fields.outputType };
    for (const [id, words] of Object.entries(told)) byId(id).querySelector(".facts").textContent = words;
  }

  // -- editors of values. Each gets `id`, `label`, `value`, and `set`, which it calls with what was typed.

  function mistake(id, message, text = "") {
    if (message) wrong.set(id, { message, text });
    else wrong.delete(id);
    byId(id)?.setAttribute("aria-invalid", String(Boolean(message)));
  }
  /** An item of a list was taken away: what is wrong with those behind it moves up with them. */
  function itemRemoved(id, place, length) {
    for (let at = place; at <= length; at += 1) {
      for (const end of ["", "-name"]) {
        const next = wrong.get(`${id}-${at + 1}${end}`);
        if (next) wrong.set(`${id}-${at}${end}`, next);
        else wrong.delete(`${id}-${at}${end}`);
      }
    }
  }

  /** A text, or any JSON: what is no JSON is offered as a string, and what looks like JSON as such. */
  function valueEditor({ id, label, value, set, start = "string", only = "", isItem = false }) {
    let kind = only || (value === undefined ? start : typeof value === "string" ? "string" : "JSON");
    const text = el("textarea", { id, rows: 1, "aria-label": label, spellcheck: false, oninput: typed });
    const hint = el("div", { className: "rest facts" });
    const which = choice([["string", "string"], ["JSON", "number or JSON"]], kind, turn, { "aria-label": `${label}: string, or a number or JSON`, id: `${id}-kind` });
    function turn(wanted) {
      const [found] = parsed(text.value);
      if (wanted === "JSON" && found === undefined && text.value) text.value = json(text.value);
      else if (wanted === "string" && typeof found === "string") text.value = found;
      kind = which.value = wanted;
      typed();
      text.focus();
    }
    function typed() {
      text.classList.toggle("mono", kind === "JSON");
      const [found] = parsed(text.value);
      hint.replaceChildren();
      mistake(id, "");
      if (kind === "string") {
        set(text.value);
        if (found !== undefined && typeof found !== "string" && !only) hint.append("A string. ", button("Take it as JSON", () => turn("JSON"), { className: "link" }));
      } else if (!text.value.trim() && isItem) {
        mistake(id, `${label}: it is empty`, text.value);
        touched();
      } else if (!text.value.trim()) set(undefined);
      else if (found !== undefined) set(found);
      else {
        offerString();
        mistake(id, `${label}: ${text.value} is no JSON`, text.value);
        touched();
      }
    }
    const offerString = () => hint.append("This is no JSON yet. ", only ? "" : button("Take it as a string", () => turn("string"), { className: "link" }));
    const draft = wrong.get(id);
    if (draft) {
      kind = which.value = "JSON";
      if (draft.text.trim()) offerString();
    }
    text.value = draft ? draft.text : value === undefined ? "" : kind === "string" ? value : readable(value);
    text.classList.toggle("mono", kind === "JSON");
    return el("div", { className: only ? "value alone" : "value" }, only ? null : which, text, hint);
  }

  function numberEditor({ id, label, value, set }) {
    const hint = el("span", { className: "facts" });
    const made = el("input", { id, "aria-label": label, inputMode: "decimal", className: "mono", value: wrong.get(id)?.text ?? (value === undefined ? "" : json(value)) });
    made.addEventListener("input", () => {
      const [found] = parsed(made.value);
      const right = isNumber(found) || !made.value.trim();
      hint.textContent = right ? "" : "This is no number.";
      mistake(id, right ? "" : `${label}: ${made.value} is no number`, made.value);
      if (right) set(found);
      else touched();
    });
    hint.textContent = wrong.has(id) ? "This is no number." : "";
    return el("div", {}, made, hint);
  }

  function listEditor({ id, label, value, set, options = null }) {
    const items = [...(value ?? [])];
    const box = el("div", { className: "items" });
    const told = () => set([...items]);
    function draw(focus) {
      box.replaceChildren(...items.map((item, place) => {
        const own = { id: `${id}-${place}`, label: `${label}, value ${place + 1}`, value: item, isItem: true, set: (found) => { items[place] = found; told(); } };
        const control = options && (item === "" || options.includes(item)) ? choice(["", ...options], item, own.set, { id: own.id, "aria-label": own.label }) : valueEditor(own);
        return el("div", { className: "item" }, control, button("Remove", () => { items.splice(place, 1); itemRemoved(id, place, items.length); told(); draw(Math.max(0, place - 1)); }, { className: "small", "aria-label": `Remove value ${place + 1}` }));
      }), button("Add a value", () => { items.push(""); told(); draw(items.length - 1); }, { id: `${id}-add`, className: "small" }));
      if (focus !== undefined) (byId(`${id}-${focus}`) ?? box.lastElementChild).focus();
    }
    draw();
    return box;
  }

  /** An object by its names; `names` are those that it may have. */
  function objectEditor({ id, label, value, set, names = [] }) {
    const entries = Object.entries(value ?? {});
    const box = el("div", { className: "items" });
    function told() {
      const taken = entries.map(([name]) => name);
      entries.forEach(([name], place) => mistake(`${id}-${place}-name`, taken.indexOf(name) === place ? "" : `${label}: '${name}' stands there twice`));
      if (new Set(taken).size === taken.length) set(Object.fromEntries(entries));
      else touched();
    }
    function draw(focus) {
      const known = el("datalist", { id: `${id}-names` }, ...names.filter((name) => !entries.some(([other]) => other === name)).map((name) => el("option", { value: name })));
      box.replaceChildren(known, ...entries.map(([name, item], place) => el("div", { className: "item named" },
        el("input", { id: `${id}-${place}-name`, value: name, list: known.id, "aria-label": `${label}, name ${place + 1}`, placeholder: "name", oninput: ({ target }) => { entries[place][0] = target.value; told(); } }),
        valueEditor({ id: `${id}-${place}`, label: `${label}, ${name || `value ${place + 1}`}`, value: item, isItem: true, set: (found) => { entries[place][1] = found; told(); } }),
        button("Remove", () => { entries.splice(place, 1); itemRemoved(id, place, entries.length); told(); draw(-1); }, { className: "small", "aria-label": `Remove ${name || `value ${place + 1}`}` }))),
      button("Add", () => { entries.push([names.find((name) => !entries.some(([other]) => other === name)) ?? "", ""]); draw(entries.length - 1); told(); }, { id: `${id}-add`, className: "small", "aria-label": `Add to ${label}` }));
      if (focus !== undefined) (byId(`${id}-${focus}-name`) ?? box.lastElementChild).focus();
    }
    draw();
    return box;
  }

  function patternEditor({ id, label, value, set }) {
    let { source, flags = "" } = isObject(value) ? value : { source: value };
    const told = () => { set(source === undefined ? undefined : flags || isObject(value) ? changed({ source }, { flags: flags || undefined }) : source); attempted(); };
    const looks = el("output");
    const sample = el("input", { "aria-label": `${label}: a text to try it on`, placeholder: "a text to try it on", oninput: () => attempted() });
    const attempted = () => later(`${id}-try`, async () => {
      if (!sample.value) return looks.replaceChildren();
      const assertions = [{ matcher: "toMatch", expected: changed({ source: source ?? "" }, { flags: flags || undefined }) }];
      const { told: found } = await ask("POST", "/api/evaluate/preview", { actual: sample.value, assertions, parse: "text" }, { name: `${id}-try` });
      return looks.replaceChildren(badgeOf(found.previews[0].state));
    });
    const WORDS = { i: "any case", m: "each line", s: ". is any sign", u: "Unicode" };
    return el("div", { className: "items" },
      el("input", { id, "aria-label": label, className: "mono", placeholder: "a pattern, such as ^[A-Z]", spellcheck: false, value: source ?? "", oninput: ({ target }) => { source = target.value; told(); } }),
      el("div", { className: "flags", role: "group", "aria-label": "flags" }, ...Object.entries(WORDS).map(([flag, words]) => tick(`${flag} ${words}`, flags.includes(flag), (on) => { flags = on ? flags + flag : flags.replace(flag, ""); told(); }, { id: `${id}-${flag}` }))),
      el("div", { className: "try" }, sample, looks));
  }

  const formsOf = (schema) => (schema?.anyOf ? schema.anyOf.flatMap(formsOf) : schema ? [schema] : []);
  const wordsIn = (schema) => formsOf(schema).find((one) => one.enum)?.enum ?? [];
  const itemWordsIn = (schema) => wordsIn(formsOf(schema).find((one) => one.type === "array")?.items);
  const takesText = (schema) => formsOf(schema).some((one) => one.enum || [one.type ?? "string"].flat().includes("string"));
  const namesIn = (schema) => Object.keys(formsOf(schema).find((one) => one.properties)?.properties ?? {});
  const EDITORS = {
    number: [isNumber, (given) => numberEditor(given)],
    boolean: [(value) => typeof value === "boolean", ({ id, label, value, set }) => choice([["", ""], ["true", "true"], ["false", "false"]], String(value ?? ""), (text) => set(text ? text === "true" : undefined), { id, "aria-label": label })],
    choice: [(value, info) => wordsIn(info.expected).includes(value), ({ id, label, value, set, info }) => choice(["", ...wordsIn(info.expected)], value ?? "", (text) => set(text || undefined), { id, "aria-label": label })],
    list: [Array.isArray, (given) => listEditor({ ...given, options: itemWordsIn(given.info.expected).length ? itemWordsIn(given.info.expected) : null })],
    pattern: [(value) => typeof value === "string" || (isObject(value) && typeof value.source === "string" && Object.keys(value).every((name) => ["source", "flags"].includes(name))), (given) => patternEditor(given)],
    object: [isObject, (given) => objectEditor({ ...given, names: namesIn(given.info.expected) })],
  };

  /** The editor that the matcher's schema asks for; what does not fit into it is edited as JSON. */
  function expectedEditor(row, info, set) {
    const value = row.check.expected;
    const given = { id: `${row.id}-expected`, label: "expected", value, info, set: (found) => set({ expected: !info.required && isEmpty(found) ? undefined : found }) };
    const [fits, make] = EDITORS[info.editor] ?? [];
    if (make && !row.raw && (value === undefined || fits(value, info))) return make(given);
    if (info.editor === "schema") return valueEditor({ ...given, only: "JSON" });
    return valueEditor({ ...given, start: make || !takesText(info.expected) ? "JSON" : "string" });
  }

  // -- rows

  const STATES = { PASS: ["pass", "✓", "pass"], FAIL: ["fail", "✗", "fail"], NOTHING_FOUND: ["inconclusive", "?", "nothing found"], INCONCLUSIVE: ["inconclusive", "?", "inconclusive"], ERROR: ["error", "!", "error"], SKIPPED: ["skipped", "–", "skipped"], NOT_TRIED: ["skipped", "–", "not tried"] };
  function badgeOf(kind, soft = false) {
    const [tone, sign, words] = STATES[kind];
    return el("span", { className: `badge ${tone} ${soft ? "soft" : "hard"}` }, el("span", { className: "sign", "aria-hidden": "true" }, sign), ` ${words}`);
  }
  const MEANING = { ANY: "passes when at least one value fits", ALL: "passes when every value fits", "ANY not": "passes when no value fits", "ALL not": "passes when not every value fits: one that does not is enough" };
  const MOST_USED = ["toEqual", "toBeNull", "toContain", "toMatch", "toBeOneOf"];
  const ON = ["reply", "reply.data", "tool_calls", "prompt", "conversation", "state", "exchange 1", "exchange -1"];

  const TAKEN_AS = [["reply", "the text of the reply"], ["reply.data", "the data of the reply, JSON"], ["tool_calls", "the tool calls, JSON"], ["prompt", "the prompt, a text"], ["conversation", "the conversation, JSON"], ["state", "the state before and after, JSON"], ["exchange 1", "the first request, JSON"], ["exchange -1", "the last request, JSON"]];

  function matcherSelect(row, set) {
    const all = [...matchers.values()];
    const groups = [["Most used", all.filter((one) => MOST_USED.includes(one.name))], ["Of this project", all.filter((one) => one.own)], ["Of texts and values", all.filter((one) => one.passing)], ["Of replies, calls, requests and conversations", all]];
    const taken = new Set();
    const made = el("select", { id: `${row.id}-matcher`, onchange: ({ target }) => set(target.value) }, el("option", { value: "" }, "choose"), ...groups.map(([label, found]) => {
      const fresh = found.filter((one) => !taken.has(one.name));
      for (const one of fresh) taken.add(one.name);
      return fresh.length ? el("optgroup", { label }, ...fresh.map((one) => el("option", { value: one.name }, one.name))) : null;
    }));
    const known = row.check.matcher ?? "";
    if (known && !taken.has(known)) made.append(el("option", { value: known }, known));
    made.value = known;
    return made;
  }

  function drawRow(row) {
    const { check } = row;
    const set = (changes) => { row.check = changed(row.check, changes); touched(); };
    const redraw = (changes) => { set(changes); keepingFocus(refresh); showStanding(row); row.view.item.scrollIntoView({ block: "nearest" }); };
    const choose = (name) => {
      row.kept[matchers.get(row.check.matcher)?.editor] = row.check.expected;
      row.keptOptions[row.check.matcher] = row.check.options;
      const kind = matchers.get(name)?.editor;
      const fits = EDITORS[kind]?.[0] ?? (() => kind !== "none");
      const before = row.check.expected ?? wrong.get(`${row.id}-expected`)?.text;
      dropDrafts(row);
      const kept = before !== undefined && fits(before, matchers.get(name)) ? before : row.kept[kind];
      row.raw = false;
      redraw({ matcher: name, expected: kept, options: row.keptOptions[name] });
    };
    const place = () => state.rows.indexOf(row);
    const path = el("input", { id: `${row.id}-path`, className: "mono", value: check.path ?? "$", placeholder: "$.items[*].id", list: "paths", spellcheck: false, autocomplete: "off", "data-open": "", oninput: ({ target }) => set({ path: target.value }) });
    const expected = el("div", { className: "field expected", role: "group", "aria-label": "Expected" });
    const meaning = el("span", { className: "meaning" });
    const description = el("b");
    const view = { path, description, badge: el("span"), words: el("span", { className: "words" }), mistake: el("div", { className: "mistake mono", hidden: true }), extra: el("span", { className: "facts" }), samples: el("div") };
    const more = el("div", { className: "more", hidden: !row.open, id: `${row.id}-more` });
    const tool = (text, work, more = {}) => button(text, work, { "aria-label": `${text} assertion ${place() + 1}`, ...more });
    const about = tool("More", () => { row.open = !row.open; refresh(); }, { id: `${row.id}-about`, "aria-controls": more.id });
    /** Draw what follows from the matcher and the rest; the controls that choose them stay. */
    function refresh() {
      const info = matchers.get(row.check.matcher);
      const value = row.check.expected;
      const parts = [];
      if (info && info.editor !== "none") {
        const simple = EDITORS[info.editor] && (value === undefined || EDITORS[info.editor][0](value, info));
        const words = info.required ? "expected " : "expected (may stay empty) ";
        parts.push(el("span", {}, words, simple ? button(row.raw ? "as fields" : "as JSON", () => { row.raw = !row.raw; redraw({}); }, { className: "link", id: `${row.id}-raw` }) : ""), expectedEditor(row, info, set));
      }
      expected.replaceChildren(...parts);
      meaning.textContent = MEANING[`${row.check.pathMatch ?? "ANY"}${row.check.not ? " not" : ""}`];
      description.textContent = row.check.description ?? "";
      about.setAttribute("aria-expanded", String(row.open));
      more.hidden = !row.open;
      more.replaceChildren(...(row.open ? moreOf(row, info, set) : []));
    }
    view.item = el("li", { className: "assertion", id: row.id, "data-row": "", onkeydown: (event) => {
      if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      move(row, event.key === "ArrowUp" ? -1 : 1);
    } },
      el("div", { className: "ask" },
        field("path", path),
        field("values", choice(["ANY", "ALL"], check.pathMatch ?? "ANY", (one) => redraw({ pathMatch: one === "ALL" ? one : undefined }), { id: `${row.id}-pathMatch` })),
        field("matcher", matcherSelect(row, choose)),
        expected, view.mistake),
      el("div", { className: "standing" }, view.badge, description, view.words, view.extra),
      view.samples,
      el("div", { className: "tools" },
        tick("Not", check.not === true, (on) => redraw({ not: on || undefined }), { id: `${row.id}-not` }), meaning,
        tool("Pick", () => pickFor(row), { title: "Click a value of the output" }),
        about,
        tool("Up", () => move(row, -1), { id: `${row.id}-up`, title: "Alt ↑" }), tool("Down", () => move(row, 1), { id: `${row.id}-down`, title: "Alt ↓" }),
        tool("Copy", () => insert(rowOf(changed(parse(json(row.check)), { id: undefined }), row.soft, row.turn), place() + 1)),
        tool("Remove", () => remove(row))),
      more);
    row.view = view;
    refresh();
    return view.item;
  }

  function moreOf(row, info, set) {
    const { check } = row;
    const setOnly = (name, usual) => (value) => set({ [name]: value === usual ? undefined : value });
    const parts = [el("div", { className: "fields" },
      field("description", el("textarea", { id: `${row.id}-description`, rows: 1, value: check.description ?? "", oninput: ({ target }) => { set({ description: target.value || undefined }); row.view.description.textContent = target.value; } }), "wide-field"),
      field("looks at", choice([...new Set([...ON, check.on ?? "reply"])], check.on ?? "reply", setOnly("on", "reply"), { id: `${row.id}-on` })),
      field("a text is read", choice([["auto", "as JSON below $"], ["text", "as text"], ["json", "as JSON"], ["fenced", "as JSON in a code fence"]], check.parse ?? "auto", setOnly("parse", "auto"), { id: `${row.id}-parse` })),
      field("counts", choice([["hard", "hard: decides"], ["soft", "soft: is recorded"]], row.soft ? "soft" : "hard", (one) => { row.soft = one === "soft"; showStanding(row); touched(); }, { id: `${row.id}-counts` })),
      state.split ? field("is asked", choice([["", "at the end"], ...state.turns.map((turn, place) => [turn.id, `after turn ${place + 1}`])], row.turn?.id ?? "", (id) => { row.turn = state.turns.find((turn) => turn.id === id) ?? null; touched(); }, { id: `${row.id}-turn` })) : null)];
    const takesOptions = info && !["pattern", "object"].includes(info.editor) && namesIn(info.options).length > 1;
    if (check.options || takesOptions) parts.push(el("div", { role: "group", "aria-label": "options" }, el("span", { className: "facts" }, "options beside expected"), objectEditor({ id: `${row.id}-options`, label: "options", value: check.options, names: namesIn(info?.options), set: (found) => set({ options: isEmpty(found) ? undefined : found }) })));
    if (!info) return parts;
    parts.push(el("p", {}, el("b", {}, info.name), ` ${info.documentation}`, info.judged ? " It asks a judge." : "", info.own ? " It is this project's own." : ""));
    for (const example of [info.passing, info.failing].filter(Boolean)) {
      const asked = { path: example.path, expected: example.expected };
      parts.push(el("p", { className: "taken" }, badgeOf(example.passed ? "PASS" : "FAIL"), el("code", {}, json(example.actual)), asked.expected === undefined ? null : el("span", {}, "expected ", el("code", {}, json(asked.expected))), example.path === "$" ? null : el("code", {}, example.path),
        button("Take it over", () => { state.on = "reply.data"; usePasted(json(example.actual, 2)); replace(row, { ...asked, pathMatch: undefined, not: undefined, on: "reply.data" }); drawRows(); touched(); }, { className: "small", "aria-label": `Take over the row that ${example.passed ? "passes" : "fails"}` })));
    }
    return parts;
  }

  const drawRows = () => keepingFocus(() => {
    byId("rows").replaceChildren(...state.rows.map(drawRow));
    state.rows.forEach(showStanding);
    tellSaved();
  });
  function insert(row, place = state.rows.length, part = "path") {
    state.rows.splice(place, 0, row);
    drawRows();
    touched();
    byId(`${row.id}-${part}`).focus();
    row.view.item.scrollIntoView({ block: "nearest" });
  }
  function remove(row) {
    const place = state.rows.indexOf(row);
    state.removed.push([row, place]);
    state.rows.splice(place, 1);
    if (state.target === row) state.target = null;
    drawRows();
    touched();
    const next = state.rows[Math.min(place, state.rows.length - 1)];
    (next ? byId(`${next.id}-path`) : byId("add")).focus();
  }
  function move(row, by) {
    const from = state.rows.indexOf(row);
    if (!state.rows[from + by]) return;
    state.rows.splice(from, 1);
    state.rows.splice(from + by, 0, row);
    drawRows();
    touched();
  }

  /** How a row stands: its chip, words, samples, and where in its path a mistake is. */
  function showStanding(row) {
    const { view, standing: found = { state: "NOT_TRIED", words: "" } } = row;
    view.badge.replaceChildren(badgeOf(found.state, row.soft));
    view.words.textContent = found.words;
    const tried = found.state !== "NOT_TRIED" && matchers.get(row.check.matcher)?.valueOnly === false;
    const facts = [found.tally, found.trivially && "passes for a trivial reason", tried && "of this output alone: a run shows it the conversation too"].filter(Boolean);
    view.extra.replaceChildren(...facts.flatMap((one) => [one, " "]), found.truncated ? el("span", { className: "tag warn", title: found.sha256 ?? "" }, "truncated") : "");
    const several = found.samples?.length > 1 || found.truncated;
    view.samples.replaceChildren(...(several ? [el("details", {}, el("summary", { className: "facts" }, counted(found.count, "value")), el("ol", { className: "samples" }, ...found.samples.map((one) => el("li", {}, el("code", {}, json(one))))))] : []));
    const problems = found.problems ?? [];
    for (const name of ["path", "expected", "matcher"]) byId(`${row.id}-${name}`)?.setAttribute("aria-invalid", String(problems.some((one) => one.field === name) || wrong.has(`${row.id}-${name}`)));
    const at = problems.find((one) => one.field === "path" && one.position !== null)?.position;
    const text = [...String(row.check.path ?? "$")];
    view.mistake.hidden = at === undefined;
    view.mistake.replaceChildren(...(at === undefined ? [] : [text.slice(0, at).join(""), el("mark", {}, text[at] ?? "end"), text.slice(at + 1).join("")]));
  }

  // -- preview: on an output, or on all replies of a run

  const BARE = (check) => changed(check, { on: undefined, parse: undefined });
  const byParse = (rows) => Object.entries(Object.groupBy(rows, (row) => row.check.parse ?? "auto"));
  const GIVEN = { last: ["reply", "reply.data"], one: ["reply"], all: ["reply", "reply.data"] }; // what is pasted may be anything
  const isGiven = () => GIVEN[state.source]?.includes(state.on) ?? true;
  function currentText() {
    if (!isGiven()) return "";
    if (state.source !== "last" || state.on !== "reply.data") return state.texts[state.source] ?? "";
    return (state.last?.data ?? null) === null ? "" : json(state.last.data, 2);
  }
  const isText = () => state.on === "reply" || state.on === "prompt";
  const actual = () => (isText() ? [currentText()] : parsed(currentText()));
  const preview = () => attempt(judge);
  /** Why there is nothing to try assertions on, "" when there is. */
  function whyNothing(output) {
    if (!isGiven()) return `here is only ${GIVEN[state.source].length > 1 ? "the text and the data of a reply" : "the text of a reply"}: paste what it looks at`;
    if (state.source === "all") return state.run ? "" : "there is no run yet";
    if (state.source === "last" && state.on === "reply.data" && state.last?.found && !currentText()) return "the last reply has no data";
    return !currentText() ? "there is no output to try it on" : output === undefined ? "the output is no JSON" : "";
  }
  /** Try the assertions; what comes of it is told, but not over "Saved." of a save since `saves`. */
  async function judge(saves = state.saves) {
    for (const [name, control] of Object.entries(asking)) if (name.startsWith("preview ")) control.abort(); // what it tells is of before
    const started = performance.now();
    const judged = state.rows.filter((row) => !toDo(row) && (row.check.on ?? "reply") === state.on && ![...wrong.keys()].some((id) => id.startsWith(`${row.id}-`)));
    const [output] = actual();
    const nothing = whyNothing(output);
    for (const row of state.rows) {
      const elsewhere = (row.check.on ?? "reply") !== state.on;
      if (judged.includes(row) && !nothing) continue;
      row.standing = { state: "NOT_TRIED", words: elsewhere ? `it looks at ${row.check.on ?? "reply"}, and the output is taken as ${state.on}` : judged.includes(row) ? nothing : toDo(row) || "not whole yet" };
    }
    try {
      const asked = nothing ? [] : byParse(judged);
      if (state.source === "all") showFailing((await Promise.all(asked.map(([kind, rows]) => previewRun(rows, kind)))).flat());
      else await Promise.all(asked.map(([kind, rows]) => previewOne(rows, kind, output)));
    } catch (error) {
      if (error.name === "AbortError") throw error;
      for (const row of judged) row.standing = { state: "NOT_TRIED", words: error.message };
      throw error;
    } finally {
      state.rows.forEach(showStanding);
    }
    const passed = state.rows.filter((row) => row.standing?.state === "PASS").length;
    const other = state.rows.find((row) => !["PASS", "NOT_TRIED"].includes(row.standing?.state));
    const took = Math.round(performance.now() - started);
    if (saves !== state.saves) return;
    const told = `${passed} of ${counted(state.rows.length, "assertion")} ${passed === 1 ? "passes" : "pass"}${judged.length ? `, judged in ${took} ms` : ""}. `;
    if (!state.rows.length) say("No assertions yet.");
    else if (nothing) say(`${sentence(nothing)}.`);
    else say(told, other ? button(`Go to assertion ${state.rows.indexOf(other) + 1}`, () => other.view.path.focus(), { className: "link" }) : "");
  }
  async function previewOne(rows, kind, output) {
    const { told } = await ask("POST", "/api/evaluate/preview", { actual: output, assertions: rows.map((row) => BARE(row.check)), parse: kind }, { name: `preview ${kind}` });
    rows.forEach((row, place) => {
      const [one, result] = [told.previews[place], told.results[place]];
      row.standing = one ? { ...one, samples: result.actualSamples, count: result.valueCount, truncated: result.truncated, sha256: result.sha256, trivially: result.triviallyTrue } : { state: "NOT_TRIED", words: "there are too many results" };
    });
  }
  async function previewRun(rows, kind) {
    const asked = () => ask("POST", "/api/evaluate/many", { run: state.run, on: state.on, assertions: rows.map((row) => BARE(row.check)), parse: kind }, { name: `preview ${kind}` });
    const { told } = await asked().catch(async (error) => {
      if (error.status !== 400 || !error.told?.details) throw error;
      const bad = new Map(error.told.details.map((one) => [Number(/^assertions\[(\d+)\]/.exec(one.field)?.[1] ?? -1), one]));
      if (bad.has(-1)) throw error;
      bad.forEach((one, place) => { rows[place].standing = { state: "ERROR", words: one.message, problems: [{ ...one, field: one.field.split(".")[1] ?? "", position: one.position ?? null }] }; });
      rows = rows.filter((_, place) => !bad.has(place));
      return rows.length ? asked() : { told: null };
    });
    rows.forEach((row, place) => {
      if (!told.total) return void (row.standing = { state: "NOT_TRIED", words: "the run has no reply" });
      const { outcomes, unresolved } = told.assertions[place];
      const passed = outcomes.pass ?? 0;
      const others = Object.entries(outcomes).filter(([name]) => name !== "pass").map(([name, many]) => `${many} ${name}`);
      const words = [...others, unresolved ? `in ${unresolved} the path finds nothing` : ""].filter(Boolean).join(", ");
      const kinds = { fail: "FAIL", error: "ERROR", inconclusive: "INCONCLUSIVE" };
      const { matcher, not } = row.check;
      const asksForNothing = matcher === (not ? "toBeDefined" : "toBeUndefined");
      row.standing = { state: passed === told.total ? (unresolved && !asksForNothing ? "NOTHING_FOUND" : "PASS") : kinds[Object.keys(kinds).find((name) => outcomes[name])] ?? "SKIPPED", words, tally: `${passed.toLocaleString("en")}/${told.total.toLocaleString("en")} pass` };
      return undefined;
    });
    return told?.total ? [told] : [];
  }
  /** The replies of a run that do not pass, of all that was asked of them. */
  function showFailing(told) {
    const failing = new Map();
    for (const one of told.flatMap((each) => each.failing)) {
      const [{ name }, results] = [one, failing.get(one.index)?.results ?? []];
      failing.set(one.index, { name, results: [...results, ...one.results] });
    }
    const left = Math.max(0, ...told.map((each) => each.notShown));
    const shown = [...failing].sort(([one], [other]) => one - other).map(([, { name, results }]) => el("li", {}, el("b", {}, name), ` ${results.filter((each) => !each.passed).map((each) => each.message).join("; ")}`));
    const words = shown.length ? "These do not pass:" : told.length && told.every((each) => each.passed) ? "All pass." : "";
    byId("values").replaceChildren(el("p", {}, words), el("ul", { className: "lines" }, ...shown), left ? el("p", { className: "cut" }, `and ${left} more`) : "");
  }

  // -- everything that is wrong, the size, and the difference in the file

  function rowAt(at) {
    const found = /^(?:turns\[(\d+)\]\.)?(assertions|expect|evaluate)\[(\d+)\](?:\.(\w+))?/.exec(at);
    if (!found) return null;
    const turn = found[1] === undefined ? null : state.turns[found[1]];
    const row = checksOf(turn, found[2] === "evaluate")[found[3]];
    return row && { row, part: found[4] ?? "path" };
  }
  function showProblems(details) {
    const named = (id) => state.rows.findIndex((row) => id.startsWith(`${row.id}-`)) + 1;
    const unfinished = state.rows.filter(toDo);
    state.refused &&= unfinished.length > 0;
    const begun = state.refused ? unfinished : [];
    const items = [...begun.map((row) => [() => byId(`${row.id}-${row.check.matcher ? "expected" : "matcher"}`)?.focus(), `assertion ${state.rows.indexOf(row) + 1}: ${toDo(row)}`]), ...[...wrong].map(([id, { message }]) => [() => byId(id)?.focus(), named(id) ? `assertion ${named(id)}, ${message}` : message]), ...details.filter((one) => !unfinished.includes(rowAt(one.field)?.row)).map((one) => {
      const found = rowAt(one.field);
      const words = `${found ? `assertion ${state.rows.indexOf(found.row) + 1}, ${found.part}` : one.field}: ${one.message}`;
      return [() => goTo(found, one), words];
    })];
    byId("problems").hidden = items.length === 0;
    byId("problems").lastElementChild.replaceChildren(...items.map(([go, words]) => el("li", {}, button(words, go))));
  }
  function goTo(found, { field: name }) {
    if (!found) {
      const part = /^(expectedOutput|outputType|shouldTrim)/.test(name) ? byId("expected") : byId("messages");
      part.open = true;
      return (byId(`case-${name}`) ?? part.firstElementChild).focus();
    }
    const control = byId(`${found.row.id}-${found.part}`) ?? found.row.view.path;
    const at = found.row.standing?.problems?.find((one) => one.field === found.part)?.position ?? null;
    control.focus();
    if (at !== null) control.setSelectionRange?.(at, at + 1);
    return undefined;
  }
  async function check() {
    if (!may.includes("edit")) return;
    try {
      const { told } = await ask("POST", `${state.address}/difference`, fieldsOf(), { name: "check" });
      showProblems([]);
      byId("size").textContent = `${told.bytes.toLocaleString("en")} of ${told.limit.toLocaleString("en")} bytes`;
      byId("size").classList.toggle("bad", told.bytes > told.limit);
      const tones = { "+": "plus", "-": "minus", "@": "faint" };
      byId("difference").firstElementChild.replaceChildren(...(told.difference ? told.difference.split("\n") : ["Nothing differs from what stands there."]).map((line) => el("span", { className: tones[line[0]] ?? "" }, line)));
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!error.told) throw error;
      showProblems(error.told.details?.length ? error.told.details : [{ field: "case", message: error.message }]);
    }
  }

  // -- saving, and somebody else who did

  let saving = null;
  const save = () => (saving ??= saveNow().finally(() => { saving = null; })); // who presses twice saves once
  async function saveNow() {
    if (!may.includes("edit")) return say("Nothing was saved: that needs the role edit."), false;
    state.refused = true; // what is only begun is listed from now on
    if (wrong.size || state.rows.some(toDo)) return showProblems([]), say("Nothing was saved: something is not whole yet."), false;
    const mine = fieldsOf();
    try {
      const { told, tag } = await ask("PUT", state.address, mine, { tag: state.tag });
      saved(mine, told, tag);
      return true;
    } catch (error) {
      if (error.status === 409 && "theirs" in error.told) await conflict(mine, error.told);
      else {
        showProblems(error.told?.details ?? []);
        say(`Nothing was saved: ${error.message}`);
      }
      return false;
    }
  }
  function saved(mine, told, tag) {
    const path = (address) => `/api/test-cases/${address.split("/").map(encodeURIComponent).join("/")}`;
    if (path(told.id) !== state.address) history.replaceState(null, "", path(told.id).replace("/api/test-cases/", "/cases/"));
    Object.assign(state, { address: path(told.id), tag, refused: false });
    keepPasted(state.texts.pasted); // under its new address
    if (state.fields.name === mine.name) state.fields = { ...state.fields, name: told.name };
    state.base = { ...mine, name: told.name };
    byId("answer").textContent = document.title = told.name;
    tellSaved();
    if (!isDirty()) state.saves += 1;
    say("Saved.");
    later("check", check, 0);
  }
  async function conflict(mine, { theirs }) {
    if (theirs === null) {
      const again = async () => {
        const { told, tag } = await ask("POST", `${editor.dataset.suite}/test-cases`, mine);
        dialog.close();
        saved(mine, told, tag);
      };
      return openDialog("Somebody deleted this case meanwhile", el("p", {}, "What you wrote is still here."), el("div", { className: "actions" }, button("Make it anew", () => attempt(again)), button("Go on writing", () => dialog.close())));
    }
    const { told } = await ask("POST", `${state.address}/merge`, { base: state.base, mine });
    const choices = told.conflicts.map((one) => ({ ...one, take: one.mine === null ? "theirs" : "mine" }));
    const shown = (value) => (value === null ? "taken away" : readable(value));
    const option = (one, side, words, place) => el("label", { className: "tick" }, el("input", { type: "radio", name: `conflict-${place}`, checked: one.take === side, onchange: () => { one.take = side; } }), el("span", {}, `${words}: `, el("code", {}, shown(one[side]))));
    const take = (fields) => {
      load(picked(fields));
      Object.assign(state, { base: picked(theirs), tag: told.tag });
      dialog.close();
      drawAll();
      touched();
      say("Both versions are together. Look at them, and save.");
    };
    return openDialog("Somebody saved this case meanwhile",
      el("p", {}, choices.length ? `You both changed ${counted(choices.length, "thing")}; the rest is put together.` : "You changed different things: they are put together."),
      ...choices.map((one, place) => el("fieldset", { className: "conflict" }, el("legend", {}, one.assertionId ? `${one.field} ${one.assertionId}` : one.field), option(one, "mine", "yours", place), option(one, "theirs", "theirs", place))),
      el("div", { className: "actions" }, button("Put together", () => take(merged(told.merged, choices)), { id: "put-together" }), button("Take theirs", () => take(theirs)), button("Go on writing", () => dialog.close())),
      el("div", { className: "versions-of-both" }, ...[["Yours", mine], ["Theirs", picked(theirs)]].map(([title, version]) => el("section", {}, el("h3", {}, title), el("pre", { className: "code", tabIndex: 0 }, json(withoutEmpty(version), 2))))));
  }
  /** The merged fields with what was chosen: they have mine, or theirs where I took it away. */
  function merged(fields, choices) {
    const found = { ...fields };
    for (const { field: name, assertionId, mine, theirs, take } of choices) {
      const chosen = take === "mine" ? mine : theirs;
      if (assertionId === null) {
        found[name] = chosen;
        continue;
      }
      const place = found[name].findIndex((one) => same(one, mine ?? theirs));
      found[name] = found[name].toSpliced(place, 1, ...(chosen === null ? [] : [chosen]));
    }
    return found;
  }

  // -- running

  async function run() {
    if (isDirty() && !(await save())) return;
    const { told } = await ask("POST", `${editor.dataset.suite}/run`, { only: [state.fields.name] });
    say("It runs.");
    for (;;) {
      const { told: now } = await ask("GET", `/api/test-suite-runs/${encodeURIComponent(told.runId)}/state`);
      if (!["QUEUED", "RUNNING"].includes(now.state)) {
        if (now.error) return say(`The run ended: ${now.error}`);
        break;
      }
      await new Promise((done) => { setTimeout(done, 250); });
    }
    state.runs = null;
    const found = await lastOutput();
    await setSource("last");
    if (found.run !== told.runId) say("The run has no reply of this case. ", el("a", { href: `/runs/${encodeURIComponent(told.runId)}` }, "Look at it"));
  }

  // -- the output: where it comes from, and its values

  async function lastOutput() {
    const { told } = await ask("GET", `${state.address}/last-output`);
    state.last = told;
    state.texts.last = told.output;
    return told;
  }
  const pastedKey = () => `pasted ${state.address}`;
  function keepPasted(text) {
    state.texts.pasted = text;
    try {
      sessionStorage.setItem(pastedKey(), text); // it is there again when the page is
    } catch {
      sessionStorage.removeItem(pastedKey()); // it is too long
    }
  }
  /** Put an example's output in the place of what was pasted, which can be had back. */
  function usePasted(text) {
    state.before ||= state.texts.pasted;
    keepPasted(text);
    attempt(() => setSource("pasted"));
  }
  function pastedBack() {
    keepPasted(state.before);
    state.before = "";
    return setSource("pasted").then(() => byId("pasted").focus());
  }
  let sourceAsked = 0;
  async function setSource(source) {
    const asked = ++sourceAsked;
    state.source = source;
    for (const one of document.querySelectorAll("input[name=source]")) one.checked = one.value === source;
    const parts = [];
    if (source === "last") parts.push(state.last?.found ? el("p", { className: "facts" }, "of ", el("a", { href: `/runs/${encodeURIComponent(state.last.run)}/conversations/${state.last.conversation}` }, "its last run")) : el("p", {}, "This case was not run yet: run it, or paste an output."));
    if (source === "pasted") parts.push(field("paste an output", el("textarea", { id: "pasted", className: "mono", rows: 3, value: state.texts.pasted, spellcheck: false, oninput: ({ target }) => { keepPasted(target.value); later("values", showValues); touched(); } })), state.before ? button("Back to the output that was pasted before", () => attempt(pastedBack), { className: "link" }) : "");
    if (source === "one" || source === "all") {
      const fields = await runFields(source);
      if (asked !== sourceAsked) return; // another one was chosen meanwhile
      parts.push(...fields.parts);
      state.texts.one = fields.output;
    }
    parts.push(field("take the output as", choice(TAKEN_AS, state.on, (on) => { state.on = on; showValues(); touched(); }, { id: "output-on" })));
    keepingFocus(() => byId("source-fields").replaceChildren(...parts));
    if (source !== "all") showValues();
    else byId("values").replaceChildren();
    await preview();
  }
  async function runFields(source) {
    state.runs ??= (await ask("GET", "/api/test-suite-runs?limit=50")).told.runs;
    state.run ||= state.runs[0]?.id ?? "";
    if (!state.run) return { parts: [el("p", {}, "There is no run yet.")], output: "" };
    const runs = choice(state.runs.map((one) => [one.id, `${one.name || one.id}, ${one.runAt.slice(0, 16).replace("T", " ")}`]), state.run, (id) => { state.run = id; attempt(() => setSource(source)); }, { id: "output-run" });
    if (source === "all") return { parts: [field("all replies of", runs)], output: "" };
    const { told } = await ask("GET", `/api/test-suite-runs/${encodeURIComponent(state.run)}/results`);
    const found = told.results;
    const take = (place) => { state.texts.one = found[place]?.output ?? ""; showValues(); later("preview", preview, 0); };
    const parts = [field("a reply of", runs), field("reply", choice(found.map((one, place) => [String(place), `${one.outcome} ${one.output.slice(0, 60)}`]), "0", take, { id: "output-reply" }))];
    return { parts, output: found[0]?.output ?? "" };
  }

  const MOST_VALUES = 1000;
  const MOST_SHOWN = 2000;
  /** The JSON that a text holds, as a whole or in a code fence, one marked as JSON first; [] for none. */
  function within(text) {
    const fences = [...text.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm)];
    const isMarked = ([, , mark]) => mark.trim().toLowerCase() === "json";
    const inOrder = [...fences.filter(isMarked), ...fences.filter((one) => !isMarked(one))];
    return [text, ...inOrder.map(([, , , content]) => content)].map(parsed).find((found) => found.length) ?? [];
  }
  function showValues() {
    const text = currentText();
    later("paths", showPaths, 300);
    if (!text) return byId("values").replaceChildren();
    const [value] = isText() ? within(text) : parsed(text);
    const tree = el("ul", { className: "tree", "aria-label": "Values of the output", onkeydown: walk });
    if (isText()) tree.append(el("li", {}, valueButton([], "the whole text", value !== null && typeof value === "object" && !isNumber(value) ? "" : text)));
    if (value !== null && typeof value === "object" && !isNumber(value)) draw(value, [], tree, { left: MOST_VALUES });
    else if (!isText()) tree.append(el("li", {}, valueButton([], "$", text)));
    tree.querySelector("button")?.setAttribute("tabindex", "0");
    return byId("values").replaceChildren(el("p", { className: "facts" }, "Click a value to ask about it; arrow keys go from one to the next."), tree);
  }
  function draw(value, pointer, into, room) {
    const isList = Array.isArray(value);
    for (const [name, item] of Object.entries(value)) {
      if (--room.left < 0) return into.append(el("li", { className: "cut" }, "and more"));
      const own = [...pointer, isList ? Number(name) : name];
      const nested = item !== null && typeof item === "object" && !isNumber(item);
      const shown = !nested ? json(item) : Array.isArray(item) ? `[${item.length}]` : `{${Object.keys(item).length}}`;
      const line = el("li", {}, valueButton(own, name, shown));
      into.append(line);
      if (nested && Object.keys(item).length) draw(item, own, line.appendChild(el("ul")), room);
    }
    return undefined;
  }
  function valueButton(pointer, name, shown) {
    const made = button("", () => attempt(() => offer(pointer, made)), { className: "mono", tabIndex: -1, "aria-expanded": "false" });
    const cut = shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown;
    made.append(el("span", { className: "name" }, name), shown ? `: ${cut}` : "");
    return made;
  }
  function walk(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || !event.target.matches("[aria-expanded]")) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("button[aria-expanded]")];
    const next = all[all.indexOf(event.target) + by];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  function pickFor(row) {
    state.target = row;
    const first = byId("values").querySelector("[tabindex='0']");
    if (!first) return say("There is no output to pick from: run the case, or paste one.");
    say(`Pick a value for assertion ${state.rows.indexOf(row) + 1}.`);
    first.focus();
    return undefined;
  }
  function closeOffers() {
    for (const one of document.querySelectorAll(".offers")) one.remove();
    for (const one of document.querySelectorAll(".tree [aria-expanded=true]")) one.setAttribute("aria-expanded", "false");
  }
  /** What can be asked about a value: its path, the one over all items, and matchers that pass. */
  async function offer(pointer, from) {
    const wasOpen = from.getAttribute("aria-expanded") === "true";
    closeOffers();
    if (wasOpen) return;
    const { told } = await ask("POST", "/api/evaluate/suggest", { output: actual()[0], pointer, parse: "auto" }, { name: "suggest" });
    const row = state.target;
    const on = state.on === "reply" ? undefined : state.on;
    const take = (changes, part) => {
      closeOffers();
      state.target = null;
      if (!row) return insert(rowOf(changed({ on }, changes)), undefined, part);
      if ("matcher" in changes) replace(row, { ...changes, on });
      else row.check = changed(row.check, { ...changes, on });
      drawRows();
      touched();
      return byId(`${row.id}-${part}`).focus();
    };
    const paths = [told.path, told.wildcardPath].filter(Boolean);
    const offers = el("div", { className: "offers", role: "group", "aria-label": `What to ask about ${told.path}`, onkeydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); closeOffers(); from.focus(); } } },
      el("p", { className: "facts" }, row ? `for assertion ${state.rows.indexOf(row) + 1}` : "for a new assertion"),
      ...paths.map((path) => button(path, () => take({ path }, "matcher"), { className: "link tree-path mono" })),
      el("ul", {}, ...told.matchers.map((one) => el("li", {}, button([one.not ? "not " : "", one.matcher, one.expected === undefined ? "" : ` ${json(one.expected)}`, one.pathMatch === "ALL" ? " (ALL)" : ""].join(""), () => take({ path: one.path, matcher: one.matcher, expected: one.expected, not: one.not || undefined, pathMatch: one.pathMatch === "ALL" ? "ALL" : undefined }, "path"), { className: "link mono" }), el("span", { className: "why" }, one.why)))));
    from.setAttribute("aria-expanded", "true");
    from.after(offers);
    offers.querySelector("button").focus();
  }
  async function showPaths() {
    const [output] = actual();
    if (!currentText() || output === undefined) return;
    const { told } = await ask("POST", "/api/scaffold", { output }, { name: "paths" });
    byId("paths").replaceChildren(...[...new Set(told.proposals.map((one) => one.assertion.path ?? "$"))].map((value) => el("option", { value })));
  }

  // -- assertions from elsewhere

  async function importRows() {
    const [output] = actual();
    if (!currentText() || output === undefined) return say("There is no output to import from: run the case, or paste one.");
    const { told } = await ask("POST", "/api/scaffold", { output }, { name: "scaffold" });
    const chosen = told.proposals.map((one) => ({ ...one }));
    const add = button("", () => {
      const on = state.on === "reply" ? undefined : state.on;
      state.rows.push(...chosen.filter((one) => one.selected).map((one) => rowOf(changed({ on }, one.assertion))));
      dialog.close();
      drawRows();
      touched();
      byId("rows").lastElementChild?.querySelector("input").focus();
    });
    const count = () => { add.textContent = `Add ${counted(chosen.filter((one) => one.selected).length, "assertion")}`; };
    count();
    const words = ({ path = "$", pathMatch, matcher, expected }) => [path, pathMatch === "ALL" ? "ALL" : "", matcher, expected === undefined ? "" : json(expected)].filter(Boolean).join(" ");
    return openDialog("Import from the output", el("p", {}, "What seems to stay is ticked; times, ids and lengths are not."),
      el("ul", { className: "proposals" }, ...chosen.map((one) => el("li", {}, el("label", { className: "tick" }, el("input", { type: "checkbox", checked: one.selected, onchange: ({ target }) => { one.selected = target.checked; count(); } }), el("code", {}, words(one.assertion))), el("span", { className: "facts" }, one.why)))),
      told.leftOut ? el("p", { className: "cut" }, `and ${told.leftOut} more`) : "",
      el("div", { className: "actions" }, add, button("Close", () => dialog.close())));
  }
  async function copyAll() {
    const checks = (soft) => state.rows.filter((row) => row.soft === soft).map((row) => row.check);
    await navigator.clipboard.writeText(json(checks(true).length ? { assertions: checks(false), evaluate: checks(true) } : checks(false), 2));
    say(`${counted(state.rows.length, "assertion")}: in the clipboard, as JSON.`);
  }
  function pasteRows() {
    const text = el("textarea", { className: "mono", rows: 8, "aria-label": "Assertions as JSON", spellcheck: false });
    const told = el("p", { className: "bad", role: "status" });
    const take = () => {
      const [found] = parsed(text.value);
      const lists = Array.isArray(found) ? [found, []] : isObject(found) ? [found.assertions ?? found.expect ?? [], found.evaluate ?? []] : [];
      const rows = !lists.every(Array.isArray) ? [] : lists.flatMap((list, place) => list.map((one) => rowOf(one, place === 1)));
      if (!rows.length || !rows.every((row) => isObject(row.check))) return void (told.textContent = found === undefined ? "This is no JSON." : "Expected a list of assertions.");
      const taken = new Set(state.rows.map((row) => row.check.id));
      for (const row of rows) if (taken.has(row.check.id)) row.check = changed(row.check, { id: undefined });
      state.rows.push(...rows);
      dialog.close();
      drawRows();
      return touched();
    };
    openDialog("Paste assertions", el("p", {}, "A list of assertions as JSON, as Copy gives it."), text, told, el("div", { className: "actions" }, button("Add them", take), button("Close", () => dialog.close())));
    text.focus();
  }

  // -- messages and the expected output

  function setField(name, value) {
    state.fields = { ...state.fields, [name]: value };
    touched();
  }
  function drawMessages() {
    const { fields } = state;
    const group = (label, ...within) => el("div", { role: "group", "aria-label": label }, el("span", { className: "facts" }, label), ...within);
    const script = (id, held, set) => [
      group("scripted model: what it answers, a request each", listEditor({ id: `${id}-model`, label: "model", value: held.model, set: (found) => set({ model: found.length ? found : id === "case" ? null : undefined }) })),
      group("tools: what each answers, by name", objectEditor({ id: `${id}-tools`, label: "tools", value: held.tools, set: (found) => set({ tools: isEmpty(found) && id !== "case" ? undefined : found }) }))];
    const parts = [el("div", { className: "fields" }, field("name", el("input", { id: "case-name", value: fields.name, oninput: ({ target }) => setField("name", target.value) }), "wide-field"), field("description", el("textarea", { id: "case-description", rows: 1, value: fields.description, oninput: ({ target }) => setField("description", target.value) }), "wide-field"))];
    if (editor.dataset.prompt) parts.push(group("inputs of the prompt", objectEditor({ id: "case-inputs", label: "inputs", value: fields.inputs, names: placeholders, set: (found) => setField("inputs", found) })));
    else {
      parts.push(...state.turns.map((turn, place) => el("div", { className: "exchange" },
        field(`turn ${place + 1}: the user says`, el("textarea", { id: turn.id, rows: 1, value: turn.fields.say ?? "", oninput: ({ target }) => { turn.fields = changed(turn.fields, { say: target.value }); touched(); } })),
        ...(state.split ? script(turn.id, turn.fields, (changes) => { turn.fields = changed(turn.fields, changes); touched(); }) : []),
        button("Remove", () => removeTurn(turn), { className: "small", "aria-label": `Remove turn ${place + 1}` }))));
      parts.push(el("div", { className: "actions" }, button("Add a message", () => { const turn = { id: `t${++number}`, fields: { say: "" } }; state.turns.push(turn); drawMessages(); touched(); byId(turn.id).focus(); }, { id: "add-message" }),
        state.split ? "" : button("Give each turn its own script and assertions", splitTurns, { id: "split" })));
      if (!state.split) parts.push(...script("case", fields, (changes) => setField(...Object.entries(changes)[0])));
      parts.push(el("details", { open: fields.history !== null || fields.agent !== null }, el("summary", {}, "History and agent"), group("messages from before, as JSON", valueEditor({ id: "case-history", label: "history", value: fields.history ?? undefined, only: "JSON", set: (found) => setField("history", found ?? null) })), group("agent, where it has one of its own", valueEditor({ id: "case-agent", label: "agent", value: fields.agent ?? undefined, set: (found) => setField("agent", found || null) }))));
    }
    byId("messages").lastElementChild.replaceChildren(...parts);
  }
  function removeTurn(turn) {
    state.turns = state.turns.filter((one) => one !== turn);
    for (const row of [...state.rows, ...state.removed.map(([one]) => one)]) if (row.turn === turn) row.turn = null;
    drawMessages();
    drawRows();
    touched();
    byId("add-message").focus();
  }
  function splitTurns() {
    state.split = true;
    const { model, tools } = state.fields;
    if (state.turns[0]) state.turns[0].fields = changed(state.turns[0].fields, { model: model ?? undefined });
    if (!isEmpty(tools)) for (const turn of state.turns) turn.fields = changed(turn.fields, { tools });
    state.fields = { ...state.fields, model: null, tools: {} };
    drawMessages();
    drawRows();
    touched();
    byId("add-message").focus();
  }
  function drawExpected() {
    const { expectedOutput: value, outputType: kind, shouldTrimWhitespace: trims } = state.fields;
    const given = { id: "case-expectedOutput", label: "expected output", value: value ?? undefined, only: kind === "json" && typeof value !== "string" ? "JSON" : "string", set: (found) => setField("expectedOutput", found === undefined || found === "" ? null : found) };
    byId("expected").lastElementChild.replaceChildren(
      el("p", {}, "The whole reply, exactly. ", el("b", { id: "beside", hidden: !state.rows.length }, "Beside assertions it is not looked at.")),
      el("div", { className: "fields" }, field("it is", choice([["string", "a text"], ["json", "JSON"]], kind, (one) => { setField("outputType", one); if (one === "json") setField("shouldTrimWhitespace", false); const now = state.fields.expectedOutput; if (one === "string" && now !== null && typeof now !== "string") setField("expectedOutput", readable(now)); drawExpected(); byId("case-outputType").focus(); }, { id: "case-outputType" })),
        kind === "string" ? tick("without the white space around it", trims, (on) => setField("shouldTrimWhitespace", on)) : null),
      valueEditor(given),
      el("div", { className: "actions" }, button("Turn into an assertion", () => attempt(turnIntoAssertion), { id: "turn" })));
  }
  async function turnIntoAssertion() {
    const { expectedOutput, outputType, shouldTrimWhitespace: trims } = state.fields;
    if (expectedOutput === null) return say("There is no expected output.");
    if (trims) return say("No assertion leaves out the white space around a reply: untick that first, or write a toMatch.");
    const { told } = await ask("POST", "/api/expected-output/assertion", { expectedOutput, outputType });
    state.fields = { ...state.fields, expectedOutput: null, outputType: "string", shouldTrimWhitespace: false };
    insert(rowOf(told.assertion));
    return drawExpected();
  }

  function drawAll() {
    byId("run-mode").value = state.fields.runMode;
    drawMessages();
    drawExpected();
    drawRows();
  }

  // -- the beginning

  const click = (id, work) => byId(id).addEventListener("click", () => attempt(work));
  click("add", () => insert(rowOf({})));
  click("import", importRows);
  click("copy-all", copyAll);
  click("paste", pasteRows);
  click("undo-remove", () => insert(...state.removed.pop()));
  click("save", save);
  click("run", run);
  click("show-difference", ({ hidden } = byId("difference")) => {
    byId("difference").hidden = !hidden;
    byId("show-difference").setAttribute("aria-expanded", String(hidden));
  });
  byId("run-mode").addEventListener("change", ({ target }) => setField("runMode", target.value));
  for (const one of document.querySelectorAll("input[name=source]")) {
    one.addEventListener("change", () => attempt(() => setSource(one.value)));
    one.addEventListener("click", ({ detail }) => { if (detail) setTimeout(() => byId("pasted")?.focus()); }); // arrow keys stay among the sources
  }
  for (const one of document.querySelectorAll("[data-example]")) {
    one.addEventListener("click", () => {
      const { output, assertions } = JSON.parse(one.dataset.example);
      state.on = "reply";
      state.rows.push(...assertions.map((check) => rowOf(check)));
      usePasted(output);
      drawRows();
      touched();
      byId(`${state.rows[0].id}-path`).focus();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "s" || dialog.open) return;
    event.preventDefault();
    attempt(save);
  });
  addEventListener("beforeunload", (event) => { if (may.includes("edit") && isDirty()) event.preventDefault(); });
  byId("save").disabled = !may.includes("edit");
  byId("run").disabled = !may.includes("run");
  editor.append(el("datalist", { id: "paths" }));
  editor.inert = true; // what is typed before the case is read would be lost
  say("Reading the case.");
  attempt(async () => {
    const [registry, found] = await Promise.all([ask("GET", "/api/registry"), ask("GET", state.address)]);
    matchers = new Map(registry.told.map((one) => [one.name, one]));
    load(picked(found.told));
    state.texts.pasted = sessionStorage.getItem(pastedKey()) ?? "";
    Object.assign(state, { tag: found.tag, base: fieldsOf() });
    if (state.rows.length && state.rows.every((row) => row.check.on === "reply.data")) state.on = "reply.data";
    editor.inert = false;
    drawAll();
    const chosen = sourceAsked;
    const last = await lastOutput().catch(() => ({ found: false }));
    if (sourceAsked === chosen) await setSource(last.found ? "last" : "pasted"); // else one was chosen meanwhile
    await attempt(check);
    editor.dataset.ready = "yes";
  });
})();
