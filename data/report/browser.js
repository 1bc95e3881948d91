// The question browser of a report. All data come from the packed element #data and reach the page
// as text nodes only; the one thing that becomes elements is the question text, which is data in the
// form [tag, attributes, children] and limited to the tags and attributes below.
"use strict";

(() => {
  const MATHML = "http://www.w3.org/1998/Math/MathML";
  const HTML_TAGS = new Set("p br strong em u ul ol li tr tbody td code pre table div".split(" "));
  const ATTRIBUTES = new Set(
    ("class colspan rowspan display mathvariant displaystyle scriptlevel width height depth voffset " +
      "lspace rspace accent accentunder fence form largeop maxsize minsize movablelimits separator " +
      "stretchy symmetric linethickness notation columnalign rowalign columnspacing rowspacing " +
      "columnlines columnspan").split(" "),
  );
  const GLYPHS = {
    correct: "✓", partial: "½", wrong: "✗", blank: "–", unparsed: "?", truncated: "…", void: "∅", unscored: "·",
  };
  const PAGE_SIZE = 200;
  const MOST_GLYPHS = 8;
  const root = document.getElementById("browser");

  function make(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.startsWith("aria-")) made.setAttribute(name, value);
      else made[name] = value;
    }
    made.append(...children.filter((child) => child !== null && child !== ""));
    return made;
  }

  function fromNode(node) {
    if (typeof node === "string") return document.createTextNode(node);
    const [tag, attributes, children] = node;
    const made = HTML_TAGS.has(tag)
      ? document.createElement(tag)
      : document.createElementNS(MATHML, tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
    }
    made.append(...children.map(fromNode));
    return made;
  }

  async function unpack() {
    const packed = document.getElementById("data").textContent;
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  const lineOf = (row) => JSON.stringify([row.model, row.mode, row.epoch]);
  const lineName = (line) => JSON.parse(line).filter((part) => part !== "").join(" · ");
  const digits = (value) =>
    value === null ? "–" : String(Math.round(value * 1000) / 1000).replace("-", "−");
  const thousands = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009");

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

  function facts(pairs) {
    const shown = pairs.filter(([, value]) => value !== null && value !== "" && value !== undefined);
    return make(
      "dl",
      { className: "meta" },
      ...shown.map(([name, value]) =>
        make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: value })),
      ),
    );
  }

  const outcome = (kind) => make("span", { className: `outcome ${kind}`, textContent: `${GLYPHS[kind]} ${kind}` });
  const marks = (row) => (row.max_mark === null ? null : `${digits(row.mark)} of ${digits(row.max_mark)}`);

  function sampleFacts(sample) {
    const shared = sample.n_returned > 1 ? ` (call of ${sample.n_returned} samples)` : "";
    const others = sample.candidates.map((candidate) => candidate.answer).filter((answer) => answer !== null);
    return facts([
      ["Answer", sample.answer ?? "none"],
      ["Read as", sample.status],
      ["Rule", sample.rule],
      ["Also seen", others.join(", ")],
      ["Extractor", sample.extractor],
      ["Outcome", sample.outcome],
      ["Score", sample.score === null ? null : digits(sample.score)],
      ["Mark", marks(sample)],
      ["Call", [sample.completion_status, sample.finish_reason].filter(Boolean).join(", ") || "not asked yet"],
      ["Tokens in", sample.input_tokens === null ? null : thousands(sample.input_tokens) + shared],
      ["Tokens out", sample.output_tokens === null ? null : thousands(sample.output_tokens) + shared],
      ["Reasoning tokens", sample.reasoning_tokens ? thousands(sample.reasoning_tokens) : null],
      ["Cost", sample.cost_usd === null ? null : `$${sample.cost_usd.toPrecision(3)}${shared}`],
      ["Time", !sample.duration_s ? null : `${sample.duration_s.toFixed(1)} s`],
      ["Served by", sample.served_model],
      ["Error", sample.error],
    ]);
  }

  function leftOut(benchmark, sample) {
    const quoted = (value) => (typeof value === "number" ? value : `'${value.replaceAll("'", "''")}'`);
    const keys = { benchmark, model: sample.model, mode: sample.mode, epoch: sample.epoch };
    Object.assign(keys, { question_id: sample.question_id, sample_index: sample.sample_index });
    const where = Object.entries(keys).map(([name, value]) => `${name} = ${quoted(value)}`);
    return make(
      "div",
      { className: "note" },
      `This response (${thousands(sample.n_bytes)} bytes) is not in the page. To see it:`,
      make("pre", { textContent: `SELECT text FROM samples_current WHERE ${where.join(" AND ")}` }),
    );
  }

  function reply(benchmark, sample) {
    if (sample.pieces === null) return sample.n_bytes ? leftOut(benchmark, sample) : "";
    const [before, span, after] = sample.pieces;
    if (!before && !span && !after) return make("p", { className: "quiet", textContent: "The reply is empty." });
    const text = make("pre", { className: "reply", tabIndex: 0 }, before);
    if (span) text.append(make("mark", { textContent: span, title: "Read as the answer" }));
    text.append(after);
    return text;
  }

  function folded(title, text) {
    const block = make("details", {}, make("summary", { className: "quiet", textContent: title }));
    block.addEventListener("toggle", () => {
      if (block.open && block.childElementCount === 1) {
        block.append(make("pre", { className: "reply", tabIndex: 0, textContent: text }));
      }
    });
    return block;
  }

  function prompt(item, sample) {
    if (!item.prompts.has(sample.prompt_hash)) return "";
    const messages = item.prompts.get(sample.prompt_hash);
    const text = messages
      ? messages.map((message) => `[${message.role}]\n${message.content}`).join("\n\n")
      : `Not in the page. SELECT messages FROM prompts WHERE prompt_hash = '${sample.prompt_hash}'`;
    return folded("Prompt as sent", text);
  }

  function sampleBody(item, sample) {
    return [
      sampleFacts(sample),
      reply(item.benchmark, sample),
      sample.reasoning ? folded("Reasoning that the server sent apart", sample.reasoning) : "",
      prompt(item, sample),
    ];
  }

  function card(item, [line, { score, samples }], isOpen) {
    const answer = score.answer === null ? "" : ` · answer ${score.answer}`;
    const share = score.share === null ? "" : ` · share of samples ${digits(score.share)}`;
    const mark = score.max_mark === null ? "" : ` · mark ${marks(score)}`;
    const summary = make(
      "summary",
      {},
      make("bdi", { className: "model", textContent: lineName(line) }),
      " ",
      outcome(score.outcome),
      make("span", { className: "quiet", textContent: `${answer} · score ${digits(score.score)}${mark}${share}` }),
    );
    const inside = make("div", { className: "inside" });
    if (samples.length === 1) inside.append(...sampleBody(item, samples[0]).filter(Boolean));
    else inside.append(...samples.map((sample) => sampleCard(item, sample)));
    return make("details", { className: "card", open: isOpen }, summary, inside);
  }

  function sampleCard(item, sample) {
    const title = `Sample ${sample.sample_index + 1}: ${sample.answer ?? sample.status ?? "no reply"}`;
    const summary = make("summary", {}, `${title} `, sample.outcome ? outcome(sample.outcome) : "");
    const block = make("details", { className: "sample" }, summary);
    block.addEventListener("toggle", () => {
      if (block.open && block.childElementCount === 1) block.append(...sampleBody(item, sample).filter(Boolean));
    });
    return block;
  }

  function questionBlock(item) {
    const { question } = item;
    const source = folded("LaTeX source", question.question);
    return make(
      "div",
      { className: "question" },
      ...question.body.map(fromNode),
      make("p", { className: "key" }, "Key: ", make("bdi", { className: "strong", textContent: question.gold ?? "none" })),
      question.type === "Open" ? "" : source,
    );
  }

  function detail(item, chosen) {
    const { question } = item;
    const about = [question.exam, question.subject, question.type];
    if (question.status !== "kept") about.push([question.status, question.reason].filter(Boolean).join(": "));
    const lines = chosenLines(item, chosen);
    return [
      make("h3", { tabIndex: -1 }, make("bdi", { textContent: question.question_id })),
      make("p", { className: "about quiet", textContent: about.filter(Boolean).join(" · ") }),
      questionBlock(item),
      ...lines.map((line) => card(item, line, lines.length <= 4)),
      lines.length ? "" : make("p", { className: "quiet", textContent: "No model has sat this question." }),
    ].filter(Boolean);
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
        glyphs,
        make("bdi", { textContent: question.question_id }),
        make("br"),
        make("span", { className: "quiet", textContent: about }),
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
      nShown = PAGE_SIZE;
      showList();
      select(found.includes(current) ? current : (found[0] ?? null), false);
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
})();
