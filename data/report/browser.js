// The question browser: unpacks the data of the page, filters, lists, and shows the chosen question.

const PAGE_SIZE = 200;
const MOST_GLYPHS = 8;
const root = document.getElementById("browser");

function gather(records) {
  const items = [];
  for (const record of records) {
    const prompts = new Map(record.prompts.map((prompt) => [prompt.prompt_hash, prompt.messages]));
    const byId = new Map();
    for (const question of record.questions) {
      const item = { benchmark: record.benchmark, question, prompts, lines: new Map() };
      byId.set(question.question_id, item);
      items.push(item);
    }
    for (const score of record.scores) {
      const item = byId.get(score.question_id);
      if (item) item.lines.set(lineOf(score), { score, samples: [] });
    }
    for (const sample of record.samples) {
      const line = byId.get(sample.question_id)?.lines.get(lineOf(sample));
      if (line) line.samples.push(sample);
    }
  }
  return items;
}

const distinct = (values) =>
  [...new Set(values.filter((value) => value !== null && value !== ""))].sort((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );

function filterFields(items) {
  const scores = items.flatMap((item) => [...item.lines.values()].map((line) => line.score));
  const fields = [
    ["benchmark", "Benchmark", distinct(items.map((item) => item.benchmark))],
    ["model", "Model", distinct(scores.map((score) => score.model))],
    ["mode", "Mode", distinct(scores.map((score) => score.mode))],
    ["epoch", "Epoch", distinct(scores.map((score) => score.epoch))],
    ["subject", "Subject", distinct(items.map((item) => item.question.subject))],
    ["type", "Type", distinct(items.map((item) => item.question.type))],
    ["outcome", "Outcome", Object.keys(GLYPHS).filter((kind) => scores.some((s) => s.outcome === kind))],
  ];
  return fields.filter(([name, , values]) => values.length > 1 || (name === "outcome" && values.length));
}

function chosenLines(item, chosen) {
  return [...item.lines].filter(([, { score }]) =>
    ["model", "mode", "epoch"].every((field) => !chosen[field] || score[field] === chosen[field]),
  );
}

function matches(item, chosen) {
  const { question } = item;
  if (chosen.benchmark && item.benchmark !== chosen.benchmark) return false;
  if (chosen.subject && question.subject !== chosen.subject) return false;
  if (chosen.type && question.type !== chosen.type) return false;
  const lines = chosenLines(item, chosen);
  if ((chosen.model || chosen.mode || chosen.epoch) && !lines.length) return false;
  if (chosen.outcome === "differs") {
    if (new Set(lines.map(([, { score }]) => score.outcome)).size < 2) return false;
  } else if (chosen.outcome && !lines.some(([, { score }]) => score.outcome === chosen.outcome)) {
    return false;
  }
  return !chosen.text || hasText(question, lines, chosen.text.toLowerCase());
}

function hasText(question, lines, wanted) {
  const isIn = (text) => text !== null && text.toLowerCase().includes(wanted);
  return (
    isIn(question.question_id) ||
    isIn(question.question) ||
    lines.some(([, { samples }]) =>
      samples.some((sample) => sample.pieces && isIn(sample.pieces.join(""))),
    )
  );
}

function start(items) {
  const chosen = {};
  let found = items;
  let current = null;
  let nShown = PAGE_SIZE;
  const count = make("p", { className: "count quiet", "aria-live": "polite" });
  const list = make("ol", { className: "list", "aria-label": "Questions" });
  const pane = make("div", { className: "detail" });
  const previous = make("button", { type: "button", textContent: "Previous", onclick: () => step(-1) });
  const next = make("button", { type: "button", textContent: "Next", onclick: () => step(1) });

  function listItem(item) {
    const lines = chosenLines(item, chosen);
    const glyphs = make("span", { className: "glyphs", "aria-hidden": "true" });
    for (const [line, { score }] of lines.slice(0, MOST_GLYPHS)) {
      const title = `${lineName(line)}: ${score.outcome}`;
      glyphs.append(make("span", { className: score.outcome, textContent: GLYPHS[score.outcome], title }));
    }
    if (lines.length > MOST_GLYPHS) glyphs.append(`+${lines.length - MOST_GLYPHS}`);
    const { question } = item;
    const about = [question.subject, question.type].filter(Boolean).join(" · ");
    const button = make(
      "button",
      { type: "button", onclick: () => select(item, true), "aria-current": String(item === current) },
      make("bdi", { textContent: question.question_id }),
      make("span", { className: "row" }, make("span", { className: "quiet", textContent: about }), glyphs),
    );
    return make("li", {}, button);
  }

  function showList() {
    count.textContent = `${thousands(found.length)} of ${thousands(items.length)} questions`;
    list.replaceChildren(...found.slice(0, nShown).map(listItem));
    if (found.length <= nShown) return;
    const more = make("button", {
      type: "button",
      className: "more",
      textContent: `Show ${Math.min(PAGE_SIZE, found.length - nShown)} more`,
      onclick: () => {
        nShown += PAGE_SIZE;
        showList();
      },
    });
    list.append(make("li", {}, more));
  }

  function select(item, isUserChoice) {
    current = item;
    const position = found.indexOf(item);
    previous.disabled = position <= 0;
    next.disabled = position < 0 || position === found.length - 1;
    pane.replaceChildren(
      make("div", { className: "steps" }, previous, next),
      ...(item ? detail(item, chosen) : [make("p", { className: "quiet", textContent: "No question matches." })]),
    );
    for (const [index, entry] of [...list.children].entries()) {
      entry.firstChild.setAttribute("aria-current", String(found[index] === item));
    }
    if (!isUserChoice || !item) return;
    const address = [item.benchmark, item.question.question_id].map(encodeURIComponent).join("/");
    history.replaceState(null, "", `#question/${address}`);
    pane.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const position = found.indexOf(current) + by;
    if (position >= nShown) {
      nShown += PAGE_SIZE;
      showList();
    }
    select(found[position], true);
    list.children[position]?.scrollIntoView({ block: "nearest" });
  }

  function refresh() {
    found = items.filter((item) => matches(item, chosen));
    const position = Math.max(0, found.indexOf(current));
    nShown = Math.max(PAGE_SIZE, position + 1);
    showList();
    select(found[position] ?? null, false);
    const entry = list.children[position];
    if (entry) list.scrollTop = entry.offsetTop - list.clientHeight / 2;
  }

  function addressed() {
    const match = /^#question\/([^/]*)\/(.*)$/.exec(location.hash);
    if (!match) return null;
    const [benchmark, id] = match.slice(1).map(decodeURIComponent);
    return items.find((item) => item.benchmark === benchmark && item.question.question_id === id) ?? null;
  }

  function selectField([name, label, values]) {
    const options = values.map((value) => make("option", { value, textContent: value }));
    if (name === "outcome") options.push(make("option", { value: "differs", textContent: "differs between lines" }));
    const field = make("select", { name }, make("option", { value: "", textContent: "all" }), ...options);
    field.addEventListener("change", () => {
      chosen[name] = field.value;
      refresh();
    });
    return make("label", {}, label, field);
  }

  function searchField() {
    const field = make("input", { type: "search", name: "text", placeholder: "in questions and responses" });
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        chosen.text = field.value.trim();
        refresh();
      }, 250);
    });
    return make("label", { className: "search" }, "Text", field);
  }

  const filters = make("form", { className: "filters" }, ...filterFields(items).map(selectField), searchField());
  filters.addEventListener("submit", (event) => event.preventDefault());
  root.replaceChildren(filters, count, make("div", { className: "panes" }, list, pane));
  root.setAttribute("aria-busy", "false");
  current = addressed();
  refresh();
  if (current && location.hash.startsWith("#question/")) pane.scrollIntoView();
}

unpack()
  .then((records) => start(gather(records)))
  .catch((error) => {
    const text = `The question browser could not start: ${error.message}`;
    root.replaceChildren(make("p", { className: "note", textContent: text }));
    root.setAttribute("aria-busy", "false");
  });
