// The review sheet: one card for each reply, and a file of what was decided.

const WHY = {
  model: "the rules could not tell; the extraction model answers",
  undecided: "nobody could tell",
};
const why = (item) => (item.reason === "recorded" ? `a person recorded ${item.recorded_answer ?? "no answer"}` : WHY[item.reason]);
const form = document.getElementById("review");

async function unpack() {
  const packed = document.getElementById("data").textContent;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// What can be chosen for a reply: each answer that somebody reads, another one, or none.
function choicesOf(item) {
  const found = new Map();
  const add = (answer, who) => {
    if (answer !== null) found.set(answer, [...(found.get(answer) ?? []), who]);
  };
  add(item.answer, `rules (${item.rule})`);
  add(item.recorded_answer, "recorded");
  add(item.model_answer, item.model_extractor);
  for (const candidate of item.candidates) add(candidate.answer, `also seen (${candidate.rule})`);
  return [...found];
}

function radio(number, value, ...content) {
  const input = make("input", { type: "radio", name: `choice-${number}`, value });
  return make("label", {}, input, ...content);
}

function choices(item, number) {
  const typed = make("input", { type: "text", maxLength: 200, "aria-label": "Another answer" });
  const other = radio(number, "typed", "another:", typed);
  typed.addEventListener("input", () => (other.querySelector("input").checked = typed.value !== ""));
  return make(
    "fieldset",
    { className: "choices" },
    make("legend", { textContent: "The response answers" }),
    ...choicesOf(item).map(([answer, who]) =>
      radio(number, `answer:${answer}`, make("strong", {}, make("bdi", { textContent: answer })), make("span", { className: "quiet", textContent: who.join(", ") })),
    ),
    other,
    radio(number, "abstained", "no answer"),
    radio(number, "ambiguous", "several, undecided"),
    radio(number, "unparsed", "cannot be read"),
  );
}

function replyText(item) {
  const [before, span, after] = item.pieces;
  const text = make("pre", { className: "reply", tabIndex: 0 }, before);
  if (span) text.append(make("mark", { textContent: span, title: "Read as the answer" }));
  text.append(after);
  return text;
}

function card(item, number, question) {
  const line = [item.model, item.mode, item.epoch].filter(Boolean).join(" · ");
  const sample = `sample ${item.sample_index + 1}`;
  const note = make("input", { type: "text", className: "note-field", maxLength: 1000, placeholder: "Note", "aria-label": "Note" });
  const asked = make("details", {}, make("summary", { className: "quiet", textContent: `Question (${question.type})` }), make("div", { className: "question" }, ...question.body.map(fromNode)));
  return make(
    "article",
    { className: "review-item", id: `item-${number}` },
    make("h2", {}, make("bdi", { textContent: item.question_id })),
    make("p", { className: "about quiet", textContent: `${line} · ${sample} · rules: ${item.answer ?? item.status} (${item.rule}) · ${why(item)}` }),
    asked,
    replyText(item),
    choices(item, number),
    note,
  );
}

function decisionOf(article) {
  const chosen = article.querySelector("input[type=radio]:checked");
  if (!chosen) return null;
  if (chosen.value.startsWith("answer:")) return { status: "answered", answer: chosen.value.slice(7) };
  if (chosen.value !== "typed") return { status: chosen.value, answer: null };
  const typed = article.querySelector(".choices input[type=text]").value.trim();
  return typed ? { status: "answered", answer: typed } : null;
}

function reviewFile(data, reviewer) {
  const corrections = [];
  data.items.forEach((item, number) => {
    const article = document.getElementById(`item-${number}`);
    const decision = decisionOf(article);
    if (!decision) return;
    const { call_id, sample_index, question_hash, question_id } = item;
    const note = article.querySelector(".note-field").value.trim();
    corrections.push({ call_id, sample_index, question_hash, question_id, ...decision, note });
  });
  return { proctor_review: 1, benchmark: data.benchmark, reviewer, corrections };
}

function save(data, reviewer) {
  const text = JSON.stringify(reviewFile(data, reviewer), null, 1);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  make("a", { href: url, download: "review.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function show(data) {
  const questions = new Map(data.questions.map((question) => [question.question_id, question]));
  const reviewer = make("input", { type: "text", maxLength: 200, placeholder: "Your name" });
  const count = make("span", { className: "quiet", role: "status" });
  const button = make("button", { type: "button", textContent: "Save review.json", onclick: () => save(data, reviewer.value.trim()) });
  const cards = data.items.map((item, number) => card(item, number, questions.get(item.question_id)));
  const recount = () => {
    const done = cards.map((each) => decisionOf(each) !== null);
    cards.forEach((each, number) => each.classList.toggle("done", done[number]));
    const n = done.filter(Boolean).length;
    count.textContent = `${n} of ${cards.length} decided`;
    button.disabled = n === 0;
  };
  form.replaceChildren(make("div", { className: "review-bar" }, make("label", {}, "Reviewer", reviewer), button, count), ...cards);
  form.addEventListener("input", recount);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.removeAttribute("aria-busy");
  for (const mark of form.querySelectorAll(".reply mark")) {
    mark.parentElement.scrollTop = mark.offsetTop - mark.parentElement.clientHeight / 2;
  }
  for (const reply of form.querySelectorAll(".reply")) {
    if (!reply.querySelector("mark")) reply.scrollTop = reply.scrollHeight;
  }
  recount();
}

unpack().then(show, (error) => form.replaceChildren(make("p", { className: "note", textContent: `This sheet cannot be read: ${error.message}` })));
