// The usual first attempt: write the document as HTML, change that, and call setContent.
import { atomsOf, linesOf } from "../tree.mjs";
import { blocksOf, escapeHtml, htmlOf, imageHtml, readContent } from "./content.mjs";
import { withShown } from "./shown.mjs";

const TEXTBLOCK = "p, h1, h2, h3, h4, h5, h6, pre, summary, img, hr";

/** Returns the elements that hold lines, and for each line the index of its element. */
function elementsOf(root, document) {
  const elements = [...root.querySelectorAll(TEXTBLOCK)];
  const paths = [];
  const ofLine = linesOf(document).map(({ path }) => {
    const key = path.join();
    if (paths.at(-1) !== key) paths.push(key);
    return paths.length - 1;
  });
  return { elements, ofLine };
}

/** Sets the HTML of those lines of an element that are meant; lines end at breaks, or at newlines in code. */
function setLines(element, start, end, ofLine, html) {
  const separator = element.closest("pre") ? "\n" : "<br>";
  const lines = element.innerHTML.split(separator === "\n" ? "\n" : /<br[^>]*>/);
  const first = ofLine.indexOf(ofLine[start - 1]);
  const last = Math.min(end - 1, ofLine.lastIndexOf(ofLine[start - 1]));
  element.innerHTML = lines.toSpliced(start - 1 - first, last - start + 2, html).join(separator);
}

function replaceLines(root, { elements, ofLine }, { start_line: start, end_line: end = start, content, format }) {
  if (start === undefined) {
    root.innerHTML = blocksOf(content, format);
    return undefined;
  }
  const meant = elements.slice(ofLine[start - 1], ofLine[end - 1] + 1);
  if (!meant.length) return "no_such_line";
  const { html, inline, lines } = readContent(content, format);
  const [first, ...rest] = meant;
  const into = (element) => (element.tagName === "PRE" ? (element.querySelector("code") ?? element) : element);
  if (content === "") first.remove();
  else if (inline && !/IMG|HR/.test(first.tagName)) setLines(into(first), start, end, ofLine, html);
  else if (lines) {
    lines.toReversed().forEach((line, index) => {
      const each = index === lines.length - 1 ? first : first.cloneNode(false);
      each.innerHTML = line;
      if (each !== first) first.after(each);
    });
  } else first.outerHTML = blocksOf(content, format);
  rest.forEach((element) => element.remove());
  return undefined;
}

/** Splits the top-level elements into sections, the heading first. */
function sectionsOf(root) {
  const sections = [[]];
  for (const child of [...root.children]) {
    if (child.tagName === "H2") sections.push([]);
    sections.at(-1).push(child);
  }
  return sections;
}

function changeSection(root, call) {
  const sections = sectionsOf(root);
  const { operation, sectionIndex, title, content, format } = call;
  const section = sections[sectionIndex];
  const heading = title === undefined ? "" : `<h2>${escapeHtml(title)}</h2>`;
  const put = (html, before) =>
    before ? before.insertAdjacentHTML("beforebegin", html) : root.insertAdjacentHTML("beforeend", html);
  if (operation === "append") return put(heading + blocksOf(content, format));
  if (operation === "insert") return put(heading + blocksOf(content, format), section?.[0]);
  if (!section) return "no_such_section";
  const next = sections[sectionIndex + 1]?.[0];
  if (operation === "insert_image") return put(imageHtml(call), call.position === "before_section" ? section[0] : next);
  if (operation === "move_section") {
    section.forEach((element) => element.remove());
    const target = sectionsOf(root)[call.toIndex]?.[0];
    return put(section.map((element) => element.outerHTML).join(""), target);
  }
  const kept = operation === "replace" && section[0] && /H[12]/.test(section[0].tagName) ? section.shift() : undefined;
  if (kept && title !== undefined) kept.textContent = title;
  section.forEach((element) => element.remove());
  if (operation === "replace") put(blocksOf(content, format), next);
}

/** Changes HTML as a call says. Returns the HTML, or why not. */
export function changeHtml(html, one) {
  const root = new DOMParser().parseFromString(html, "text/html").body;
  const call = withShown(one.call, (index) => htmlOf(atomsOf(one.document)[index]));
  let refused;
  if (call.operation === "replace_text") {
    if (!root.innerHTML.includes(call.old)) return { refused: "not_found" };
    root.innerHTML = call.all
      ? root.innerHTML.replaceAll(call.old, call.new)
      : root.innerHTML.replace(call.old, () => call.new);
  } else if (call.operation === "replace_lines") {
    const places = elementsOf(root, one.document);
    for (const edit of call.edits) refused ??= replaceLines(root, places, edit);
  } else refused = changeSection(root, call);
  return refused ? { refused } : { html: root.innerHTML };
}

export default {
  name: "setContent",
  available: () => true,
  run(one, editor) {
    const { html, refused } = changeHtml(editor.getHTML(), one);
    if (!refused) editor.commands.setContent(html);
    return { refused };
  },
};
