"use strict";

// What the pages share: unpacks their data and makes their elements. Texts reach the page as text nodes only; the one thing
// that becomes elements is a question's text, which is data in the form [tag, attributes, children]
// and limited to the tags and attributes below.

const MATHML = "http://www.w3.org/1998/Math/MathML";
const HTML_TAGS = new Set("p br strong em u ul ol li tr tbody td code pre table div".split(" "));
const ATTRIBUTES = new Set(
  ("class colspan rowspan display mathvariant displaystyle scriptlevel width height depth voffset " +
    "lspace rspace accent accentunder fence form largeop maxsize minsize movablelimits separator " +
    "stretchy symmetric linethickness notation columnalign rowalign columnspacing rowspacing " +
    "columnlines columnspan").split(" "),
);

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

const lineOf = (row) => JSON.stringify([row.model, row.mode, row.epoch]);
const lineName = (line) => JSON.parse(line).filter((part) => part !== "").join(" · ");
const digits = (value) =>
  value === null ? "–" : String(Math.round(value * 1000) / 1000).replace("-", "−");
const thousands = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009");
const LONG_TEXT = 20_000;

// Both ends of a very long text, and between them a button that puts the rest in its place.
function shortened(text) {
  if (text.length <= 3 * LONG_TEXT) return [text];
  const middle = text.slice(LONG_TEXT, -LONG_TEXT);
  const button = make("button", {
    type: "button",
    className: "plain-button",
    textContent: `${thousands(middle.length)} more characters`,
    onclick: () => button.replaceWith(middle),
  });
  return [text.slice(0, LONG_TEXT), button, text.slice(-LONG_TEXT)];
}

// The data of the page.
async function unpack() {
  const packed = document.getElementById("data").textContent;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
