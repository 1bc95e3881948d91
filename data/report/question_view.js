// How one question looks: its text, and for each line its answer, mark, and what the model wrote.

const GLYPHS = {
  correct: "✓", partial: "½", wrong: "✗", blank: "–", unparsed: "?", truncated: "…", void: "∅", unscored: "·",
};

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
  const text = make("pre", { className: "reply", tabIndex: 0 }, ...shortened(before));
  if (span) text.append(make("mark", { textContent: span, title: "Read as the answer" }));
  text.append(...shortened(after));
  return text;
}

function folded(title, text) {
  const block = make("details", {}, make("summary", { className: "quiet", textContent: title }));
  block.addEventListener("toggle", () => {
    if (block.open && block.childElementCount === 1) {
      block.append(make("pre", { className: "reply", tabIndex: 0 }, ...shortened(text)));
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
  const block = make("details", { className: "card", open: isOpen }, summary, inside);
  block.addEventListener("toggle", () => showAnswers(block), { once: true });
  return block;
}

// Scroll each reply so that the answer that was read in it can be seen.
function showAnswers(within) {
  for (const mark of within.querySelectorAll(".reply mark")) {
    mark.parentElement.scrollTop = mark.offsetTop - mark.parentElement.clientHeight / 2;
  }
}

function sampleCard(item, sample) {
  const title = `Sample ${sample.sample_index + 1}: ${sample.answer ?? sample.status ?? "no reply"}`;
  const summary = make("summary", {}, `${title} `, sample.outcome ? outcome(sample.outcome) : "");
  const block = make("details", { className: "sample" }, summary);
  block.addEventListener("toggle", () => {
    if (!block.open || block.childElementCount > 1) return;
    block.append(...sampleBody(item, sample).filter(Boolean));
    showAnswers(block);
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
