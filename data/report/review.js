// The review sheet: one card for each reply, and a file of what was decided. What was decided is kept
// in the browser too, so that a page that is closed by mistake can be opened again.

const ASIDE = { abstained: "no answer", ambiguous: "several, undecided", unparsed: "cannot be read" };
const KEYS = { typed: "t", abstained: "0", ambiguous: "s", unparsed: "u" };
const form = document.getElementById("review");

function why(item) {
  if (item.reason === "recorded") return `a person recorded ${item.recorded_answer ?? "no answer"}`;
  if (item.reason === "model") return `${item.model_extractor} reads ${item.model_answer}`;
  return "nobody could tell";
}

// What can be chosen: each answer that somebody reads, another one, or none; value → who says so.
function choicesOf(item) {
  const found = new Map();
  const add = (value, who) => found.set(value, [...(found.get(value) ?? []), who]);
  const read = (answer, status, who) => {
    if (answer !== null) add(`answer:${answer}`, who);
    else if (status in ASIDE) aside.push([status, who]);
  };
  const aside = [];
  read(item.answer, item.status, `rules (${item.rule})`);
  if (item.reason === "recorded") read(item.recorded_answer, "abstained", "recorded");
  if (item.model_extractor !== null) read(item.model_answer, "abstained", item.model_extractor);
  for (const candidate of item.candidates) read(candidate.answer, "", `also seen (${candidate.rule})`);
  found.set("typed", []);
  for (const status of Object.keys(ASIDE)) found.set(status, []);
  for (const [status, who] of aside) add(status, who);
  return found;
}

function choice(number, value, who, key) {
  const input = make("input", { type: "radio", name: `choice-${number}`, value });
  const content = [input, make("kbd", { textContent: key ?? "" })];
  if (value.startsWith("answer:")) content.push(make("strong", {}, make("bdi", { textContent: value.slice(7) })));
  else if (value !== "typed") content.push(ASIDE[value]);
  else {
    const typed = make("input", { type: "text", className: "typed", maxLength: 200, "aria-label": "Another answer" });
    typed.addEventListener("input", () => (input.checked = input.checked || typed.value !== ""));
    content.push("another:", typed);
  }
  return make("label", {}, ...content, make("span", { className: "quiet", textContent: who.join(", ") }));
}

function choices(item, number) {
  const found = [...choicesOf(item)];
  return make(
    "fieldset",
    { className: "choices" },
    make("legend", { textContent: "The response answers" }),
    ...found.map(([value, who], at) => choice(number, value, who, KEYS[value] ?? (at < 9 ? String(at + 1) : null))),
  );
}

function replyText(item) {
  const text = make("pre", { className: "reply", tabIndex: 0 });
  for (const [piece, mark] of item.pieces) {
    if (mark === "") text.append(...shortened(piece));
    else if (mark === "answer") text.append(make("mark", { textContent: piece, title: "Read as the answer" }));
    else text.append(make("mark", { className: "also", textContent: piece, title: "Also seen" }));
  }
  if (!item.pieces.length) return make("p", { className: "quiet", textContent: "The reply is empty." });
  return text;
}

function card(item, number, question, n) {
  const line = [item.model, item.mode, item.epoch].filter(Boolean).join(" · ");
  const rules = `${item.answer ?? item.status} (${item.rule})`;
  const about = [question.type, line, `sample ${item.sample_index + 1}`].join(" · ");
  return make(
    "article",
    { className: "review-item", id: `item-${number}`, tabIndex: -1, "aria-label": `${number + 1} of ${n}` },
    make("h2", {}, make("span", { className: "place", textContent: `${number + 1} of ${n}` }), make("bdi", { textContent: item.question_id })),
    make("p", { className: "about quiet", textContent: about }),
    make("p", { className: "why" }, "The rules read ", make("bdi", { className: "strong", textContent: rules }), "; ", make("bdi", { textContent: why(item) }), "."),
    make(
      "details",
      { open: true },
      make("summary", { className: "quiet", textContent: "Question" }),
      make("div", { className: "question", tabIndex: 0 }, ...question.body.map(fromNode)),
    ),
    replyText(item),
    choices(item, number),
    make("input", { type: "text", className: "note-field", maxLength: 1000, placeholder: "Note", "aria-label": "Note" }),
  );
}

const chosenIn = (article) => article.querySelector("input[type=radio]:checked")?.value ?? null;
const fieldOf = (article, name) => article.querySelector(`.${name}`);

function decisionOf(article) {
  const value = chosenIn(article);
  if (value === null) return null;
  if (value.startsWith("answer:")) return { status: "answered", answer: value.slice(7) };
  if (value !== "typed") return { status: value, answer: null };
  const answer = fieldOf(article, "typed").value.trim();
  return answer ? { status: "answered", answer } : null;
}

// What was decided, and under which name it stays in the browser.
class Draft {
  constructor(sheet, cards, reviewer) {
    Object.assign(this, { name: `proctor-review:${sheet}`, cards, reviewer });
  }

  keep() {
    const entries = this.cards.map((article) => [chosenIn(article), fieldOf(article, "typed").value, fieldOf(article, "note-field").value]);
    try {
      localStorage.setItem(this.name, JSON.stringify({ reviewer: this.reviewer.value, entries }));
    } catch {
      // A browser may keep nothing for pages of files; the page asks before it is closed.
    }
  }

  restore() {
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem(this.name));
    } catch {
      return;
    }
    if (kept === null) return;
    this.reviewer.value = kept.reviewer;
    kept.entries.forEach(([value, typed, note], number) => {
      const article = this.cards[number];
      fieldOf(article, "typed").value = typed;
      fieldOf(article, "note-field").value = note;
      for (const input of article.querySelectorAll("input[type=radio]")) input.checked = input.value === value;
    });
  }
}

function reviewFile(data, cards, reviewer) {
  const corrections = data.items.flatMap((item, number) => {
    const decision = decisionOf(cards[number]);
    if (decision === null) return [];
    const { call_id, sample_index, question_hash, question_id } = item;
    const note = fieldOf(cards[number], "note-field").value.trim();
    return [{ call_id, sample_index, question_hash, question_id, ...decision, note }];
  });
  return { proctor_review: 1, benchmark: data.benchmark, reviewer, corrections };
}

function download(file) {
  const text = JSON.stringify(file, null, 1);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  make("a", { href: url, download: "review.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// Go from card to card and choose without a mouse. Keys do nothing while a text is being typed.
function listenToKeys(cards, save) {
  let current = -1;
  const go = (number) => {
    if (!(number in cards)) return;
    cards[number].focus({ preventScroll: true });
    cards[number].scrollIntoView({ block: "start" });
  };
  const goToOpen = () => {
    const order = cards.map((_, step) => (current + 1 + step) % cards.length);
    const open = order.find((number) => decisionOf(cards[number]) === null);
    if (open !== undefined) go(open);
  };
  const choose = (key) => {
    const label = [...cards[current].querySelectorAll(".choices label")].find((each) => each.querySelector("kbd").textContent === key);
    if (!label) return false;
    const typed = label.querySelector(".typed");
    label.querySelector("input").checked = true;
    (typed ?? cards[current]).focus({ preventScroll: true });
    form.dispatchEvent(new Event("input"));
    return true;
  };
  const clear = () => {
    for (const input of cards[current].querySelectorAll("input[type=radio]")) input.checked = false;
    form.dispatchEvent(new Event("input"));
  };
  form.addEventListener("focusin", (event) => {
    const article = event.target.closest(".review-item");
    if (!article) return;
    cards[current]?.classList.remove("current");
    current = cards.indexOf(article);
    article.classList.add("current");
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.isComposing) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "s") return;
      save();
      event.preventDefault();
      return;
    }
    const isText = event.target.matches("input[type=text]");
    if (isText && event.key === "Escape") cards[current]?.focus({ preventScroll: true });
    else if (event.key === "Enter" && !event.target.matches("button, summary")) goToOpen();
    else if (isText) return;
    else if (event.key === "j") go(current + 1);
    else if (event.key === "k") go(current - 1);
    else if (current < 0) return;
    else if (event.key === "n") fieldOf(cards[current], "note-field").focus();
    else if (event.key === "x") clear();
    else if (!choose(event.key)) return;
    event.preventDefault();
  });
}

// A reply opens where the answer stands, or at its end; done when its card comes near.
function showAnswers(cards) {
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      const reply = target.querySelector(".reply");
      const mark = reply?.querySelector("mark:not(.also)") ?? reply?.querySelector("mark");
      if (reply) reply.scrollTop = mark ? mark.offsetTop - reply.clientHeight / 2 : reply.scrollHeight;
    }
  }, { rootMargin: "600px" });
  for (const each of cards) observer.observe(each);
}

function show(data) {
  const questions = new Map(data.questions.map((question) => [question.question_id, question]));
  const reviewer = make("input", { type: "text", maxLength: 200, placeholder: "Your name" });
  const count = make("span", { className: "quiet", role: "status" });
  const cards = data.items.map((item, number) => card(item, number, questions.get(item.question_id), data.items.length));
  const draft = new Draft(data.sheet, cards, reviewer);
  let isSaved = true;
  const recount = () => {
    const done = cards.map((each) => decisionOf(each) !== null);
    cards.forEach((each, number) => each.classList.toggle("done", done[number]));
    const n = done.filter(Boolean).length;
    count.textContent = `${n} of ${cards.length} decided${n && isSaved ? ", saved" : ""}`;
    button.disabled = n === 0;
  };
  const save = () => {
    if (button.disabled) return;
    download(reviewFile(data, cards, reviewer.value.trim()));
    isSaved = true;
    recount();
  };
  const button = make("button", { type: "button", className: "plain-button", textContent: "Save review.json", onclick: save });
  form.replaceChildren(make("div", { className: "review-bar" }, make("label", {}, "Reviewer", reviewer), button, count), ...cards);
  draft.restore();
  isSaved = cards.every((each) => decisionOf(each) === null);
  form.addEventListener("input", () => {
    isSaved = false;
    recount();
    draft.keep();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("beforeunload", (event) => {
    if (!isSaved && !button.disabled) event.preventDefault();
  });
  form.setAttribute("aria-busy", "false");
  recount();
  listenToKeys(cards, save);
  showAnswers(cards);
}

unpack().then(show).catch((error) => form.replaceChildren(make("p", { className: "note", textContent: `This sheet cannot be read: ${error.message}` })));
