/**
 * What the demo model can honestly do with text that stands on the page: keep its first sentences, replace
 * wordy phrases, split long sentences. It parses the section's HTML, touches text only, and leaves lists,
 * tables and pictures where they are.
 */
import type { Language } from "./intent";

export interface Reworked {
  content: string;
  /** Characters of text before and after. */
  before: number;
  after: number;
  replaced: number;
  split: number;
}

function parse(html: string): HTMLElement {
  return new DOMParser().parseFromString(`<body>${html}</body>`, "text/html").body;
}

export function plainText(html: string): string {
  const body = parse(html);
  for (const block of body.querySelectorAll("p, li, h1, h2, h3, tr, br")) block.append(" ");
  return (body.textContent ?? "").replace(/\s+/g, " ").trim();
}

export function sentencesOf(text: string): string[] {
  const language = /\p{Script=Han}/u.test(text) ? "zh" : "en";
  const segments = new Intl.Segmenter(language, { granularity: "sentence" }).segment(text);
  return [...segments].map(({ segment }) => segment).filter((segment) => segment.trim());
}

/** Keeps the first half of the sentences of every paragraph; where that drops nothing, drops the last paragraph. */
export function shorten(html: string): Reworked {
  const body = parse(html);
  const before = plainText(html).length;
  for (const paragraph of body.querySelectorAll<HTMLElement>(":scope > p, :scope > blockquote > p")) {
    const count = sentencesOf(paragraph.textContent ?? "").length;
    if (count > 1) cutAfter(paragraph, sentencesOf(paragraph.textContent ?? "").slice(0, Math.ceil(count / 2)).join("").trimEnd().length);
  }
  const paragraphs = [...body.querySelectorAll(":scope > p")].filter((p) => p.textContent?.trim());
  if (plainText(body.innerHTML).length === before && paragraphs.length > 1) paragraphs[paragraphs.length - 1]!.remove();
  const content = body.innerHTML;
  return { content, before, after: plainText(content).length, replaced: 0, split: 0 };
}

/** Cuts what follows the first `length` characters of an element's text, and keeps the markup before. */
function cutAfter(element: HTMLElement, length: number): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let seen = 0;
  const gone: ChildNode[] = [];
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const size = node.data.length;
    if (seen >= length) gone.push(node);
    else if (seen + size > length) node.data = node.data.slice(0, length - seen);
    seen += size;
  }
  for (const node of gone) {
    const parent = node.parentElement;
    node.remove();
    if (parent && parent !== element && !parent.textContent && !parent.querySelector("img")) parent.remove();
  }
}

const plainEnglish: [RegExp, string][] = [
  [/\bin order to\b/gi, "to"],
  [/\bdue to the fact that\b/gi, "because"],
  [/\ba (?:large|great) number of\b/gi, "many"],
  [/\bat (?:this|the present) (?:point in )?time\b/gi, "now"],
  [/\bprior to\b/gi, "before"],
  [/\butili[sz]e(s?)\b/gi, "use$1"],
  [/\brequire(s?)\b/gi, "need$1"],
  [/\bpurchase(s?)\b/gi, "buy$1"],
  [/\bassist(s?)\b/gi, "help$1"],
  [/\bdemonstrate(s?)\b/gi, "show$1"],
  [/\bapproximately\b/gi, "about"],
  [/\badditionally\b/gi, "also"],
  [/\bsubsequently\b/gi, "then"],
  [/\bnumerous\b/gi, "many"],
  [/\btherefore\b/gi, "so"],
  [/\bnevertheless\b/gi, "still"],
  [/\bregarding\b/gi, "about"],
  [/\bcommence(s?)\b/gi, "begin$1"],
  [/\bseldom\b/gi, "rarely"],
  [/\bperilously\b/gi, "dangerously"],
  [/\bputs up with\b/gi, "bears"],
];

const plainChinese: [RegExp, string][] = [
  [/早在有文字记载之前/g, "还没有文字的时候"],
  [/随即/g, "马上"],
  [/便([是有成])/g, "就$1"],
  [/往往/g, "常常"],
  [/并非/g, "不是"],
  [/所需不多/g, "需要的东西不多"],
  [/由于/g, "因为"],
  [/以及/g, "和"],
  [/然而/g, "但是"],
  [/因此/g, "所以"],
  [/无需/g, "不用"],
  [/愈(.)愈/g, "越$1越"],
  [/缘故|缘由/g, "原因"],
  [/或许|也许/g, "可能"],
];

/** Where a long English sentence can be divided: at a semicolon, or before a new clause with its own subject. */
const LONG = /(; |, and (?=(?:the|it|its|they|he|she|we|you|that|this|there|these|those|within|nobody|people)\b)|, but (?=(?:the|it|they|he|she|we|you|that|this|there)\b)|, while (?=[a-z]))([a-z])(?=[^.;!?]{12,})/g;

/** Puts plainer words for wordy ones and makes two sentences of a long one. */
export function rewrite(html: string, language: Language): Reworked {
  const body = parse(html);
  const before = plainText(html).length;
  let replaced = 0;
  let split = 0;
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest("pre, code, a")) continue;
    let text = node.data;
    // Each place is replaced once: what a rule has written, no later rule reads.
    const rules = language === "zh" ? plainChinese : plainEnglish;
    const taken: string[] = [];
    for (const [pattern, plain] of rules) {
      text = text.replace(pattern, (match, ...groups: unknown[]) => {
        replaced++;
        const group = typeof groups[0] === "string" ? groups[0] : "";
        const written = plain.replace("$1", group);
        taken.push(/^[A-Z]/.test(match) ? written.charAt(0).toUpperCase() + written.slice(1) : written);
        return `\u0001${taken.length - 1}\u0002`;
      });
    }
    text = text.replace(/\u0001(\d+)\u0002/g, (_, at: string) => taken[Number(at)]!);
    text =
      language === "zh"
        ? text.replace(/；(?=[^；。]{4,})/g, () => (split++, "。"))
        : text.replace(LONG, (_, joint: string, letter: string) => {
            split++;
            return joint.includes("but") ? `. But ${letter}` : `. ${letter.toUpperCase()}`;
          });
    node.data = text;
  }
  if (!replaced && !split) {
    const first = body.querySelector("p");
    const sentences = sentencesOf(first?.textContent ?? "");
    if (first && sentences.length > 1 && !first.querySelector("*")) {
      const lead = document.createElement("p");
      const strong = document.createElement("strong");
      strong.textContent = sentences[0]!.trim();
      lead.append(strong);
      first.textContent = sentences.slice(1).join("").trim();
      first.before(lead);
      split = 1;
    }
  }
  const content = body.innerHTML;
  return { content, before, after: plainText(content).length, replaced, split };
}
