/**
 * Edits that a script can make to text: keep the first sentences, replace wordy phrases, split long sentences. They parse
 * the section's HTML and change text only; lists, tables and images stay unchanged.
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

/** Keeps the first half of the sentences of every paragraph; if that removes nothing, removes the last paragraph. */
export function shorten(html: string): Reworked {
  const body = parse(html);
  const before = plainText(html).length;
  for (const paragraph of body.querySelectorAll<HTMLElement>(":scope > p, :scope > blockquote > p")) {
    const count = sentencesOf(paragraph.textContent ?? "").length;
    if (count > 1)
      cutAfter(
        paragraph,
        sentencesOf(paragraph.textContent ?? "")
          .slice(0, Math.ceil(count / 2))
          .join("")
          .trimEnd().length,
      );
  }
  const paragraphs = [...body.querySelectorAll(":scope > p")].filter((p) => p.textContent?.trim());
  if (plainText(body.innerHTML).length === before && paragraphs.length > 1) paragraphs[paragraphs.length - 1]!.remove();
  const content = body.innerHTML;
  return { content, before, after: plainText(content).length, replaced: 0, split: 0 };
}

/** Removes the text of an element after `length` characters, and keeps the markup before. */
function cutAfter(element: HTMLElement, length: number): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let position = 0;
  const removed: ChildNode[] = [];
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const size = node.data.length;
    if (position >= length) removed.push(node);
    else if (position + size > length) node.data = node.data.slice(0, length - position);
    position += size;
  }
  for (const node of removed) {
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

/** Points where a long English sentence can be split: at a semicolon, or before a clause with its own subject. */
const SPLIT_POINT =
  /(; |, and (?=(?:the|it|its|they|he|she|we|you|that|this|there|these|those|within|nobody|people)\b)|, but (?=(?:the|it|they|he|she|we|you|that|this|there)\b)|, while (?=[a-z]))([a-z])(?=[^.;!?]{12,})/g;

/** Replaces wordy phrases with plain ones, and splits long sentences. */
export function rewrite(html: string, language: Language): Reworked {
  const body = parse(html);
  const before = plainText(html).length;
  let replaced = 0;
  let split = 0;
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest("pre, code, a")) continue;
    let text = node.data;
    // Each phrase is replaced once: later rules do not see replacements.
    const rules = language === "zh" ? plainChinese : plainEnglish;
    const replacements: string[] = [];
    for (const [pattern, plain] of rules) {
      text = text.replace(pattern, (match, ...groups: unknown[]) => {
        replaced++;
        const group = typeof groups[0] === "string" ? groups[0] : "";
        const replacement = plain.replace("$1", group);
        replacements.push(
          /^[A-Z]/.test(match) ? replacement.charAt(0).toUpperCase() + replacement.slice(1) : replacement,
        );
        return `\u0001${replacements.length - 1}\u0002`;
      });
    }
    text = text.replace(/\u0001(\d+)\u0002/g, (_, at: string) => replacements[Number(at)]!);
    text =
      language === "zh"
        ? text.replace(/；(?=[^；。]{4,})/g, () => (split++, "。"))
        : text.replace(SPLIT_POINT, (_, joint: string, letter: string) => {
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

/** Typos that a script can tell from words. */
const typos: [RegExp, string][] = [
  [/\bteh\b/g, "the"],
  [/\bTeh\b/g, "The"],
  [/\b([Rr])ecieve/g, "$1eceive"],
  [/\b([Ss])eperate/g, "$1eparate"],
  [/\b([Dd])efinately\b/g, "$1efinitely"],
  [/\b([Oo])ccured\b/g, "$1ccurred"],
  [/\b([Uu])ntill\b/g, "$1ntil"],
  [/\b([Ww])ich\b/g, "$1hich"],
  [/\b(\w+) \1\b/g, "$1"],
  [/([A-Za-z]) +([,.;:!?])(?=\s|$)/g, "$1$2"],
  [/(?<=\S) {2,}(?=\S)/g, " "],
  [/的的/g, "的"],
  [/了了(?!解)/g, "了"],
  [/既使/g, "即使"],
  [/做为/g, "作为"],
  [/按装/g, "安装"],
  [/以经/g, "已经"],
];

/** Corrects typos in the text of HTML. */
export function correct(html: string): { content: string; replaced: number } {
  const body = parse(html);
  let replaced = 0;
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (!node.parentElement?.closest("pre, code")) {
      for (const [pattern, right] of typos) {
        replaced += node.data.match(pattern)?.length ?? 0;
        node.data = node.data.replace(pattern, right);
      }
    }
  }
  return { content: body.innerHTML, replaced };
}
