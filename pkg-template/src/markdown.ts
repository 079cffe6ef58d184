/** Markdown, which models slip into: turned into HTML by a parser that is loaded when it is first needed. */

import type { MarkedExtension, Token, Tokens } from "marked";
import { CopydeskError } from "./error.js";

let convert: ((markdown: string) => string) | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the Markdown parser, so that `document.apply` takes Markdown. An agent does so by itself when its model writes some.
 * Later calls give the same promise; a failed attempt may be repeated.
 *
 * @throws a {@link CopydeskError} with the code `markdown_not_loaded`, whose `cause` is what the browser said.
 */
export function loadMarkdown(): Promise<void> {
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The Markdown parser could not be loaded: ${reason}. Try again, or write HTML.`;
    throw new CopydeskError({ code: "markdown_not_loaded", message, details: { reason } }, { cause });
  });
  return loading;
}

/** For how long a text is read, in milliseconds: marked takes quadratic time for some. */
const LONGEST_MS = 2_000;
/** The longest HTML that becomes of a text, in characters: a short reference can stand for a long address, again and again. */
const LONGEST_HTML = 10_000_000;

/** When the text that is being read is given up, and how much HTML its links and pictures have become. */
let [deadline, written] = [0, 0];

/** What `markdownToHTML` throws beyond a limit; the wasm says it in words. */
class Limit extends Error {
  constructor(given: { ms: number } | { characters: number }) {
    super("too large");
    Object.assign(this, given);
  }
}

/**
 * Markdown as HTML; undefined while the parser is not loaded.
 *
 * @throws what the parser throws; and, where the text takes too long to read or becomes too much, an error with `ms` or `characters`.
 */
export function markdownToHTML(markdown: string): string | undefined {
  [deadline, written] = [performance.now() + LONGEST_MS, 0];
  return convert?.(markdown);
}

function goOn(): false {
  if (performance.now() > deadline) throw new Limit({ ms: LONGEST_MS });
  // The parser does it.
  return false;
}

function counted(html: string): string {
  written += html.length;
  if (written > LONGEST_HTML) throw new Limit({ characters: LONGEST_HTML });
  return html;
}

async function load(): Promise<void> {
  const { Marked } = await import("marked");
  const parser = new Marked({ gfm: true, async: false }, asTipTap);
  convert = (markdown) => parser.parse(markdown, { async: false });
}

/**
 * HTML as TipTap's extensions read it. Raw HTML in Markdown stays as it is: like all content it is read by the editor's
 * schema, which takes only what it knows, and held against the guards.
 */
const asTipTap: MarkedExtension = {
  // The first of all that is looked for among blocks, and in the text of one: these are called all the time.
  tokenizer: { space: goOn, escape: goOn },

  renderer: {
    // A line break at the end would be an empty line of code.
    code({ text, lang }: Tokens.Code): string {
      const language = /^\S+/.exec(lang ?? "")?.[0];
      return `<pre><code${language ? ` class="language-${escape(language)}"` : ""}>${escape(text, true)}</code></pre>`;
    },

    // Pictures are blocks: among text they would leave empty paragraphs behind.
    paragraph({ tokens }: Tokens.Paragraph): string {
      const html = this.parser.parseInline(tokens);
      return tokens.every(isPicture) ? html : `<p>${html}</p>`;
    },

    list({ ordered, start, items }: Tokens.List): string {
      const isTaskList = items.length > 0 && items.every((item) => item.task);
      const html = items.map((item) => {
        const content = this.parser.parse(item.tokens);
        if (!isTaskList) return `<li>${content}</li>`;
        const text = content.replace(/^(<p>)?\[[ x]\] /, "$1");
        return `<li data-type="taskItem" data-checked="${item.checked === true}">${text}</li>`;
      });
      if (isTaskList) return `<ul data-type="taskList">${html.join("")}</ul>`;
      if (!ordered) return `<ul>${html.join("")}</ul>`;
      return `<ol${start === 1 || start === "" ? "" : ` start="${start}"`}>${html.join("")}</ol>`;
    },

    // A task among items that are none stays readable.
    checkbox: ({ checked }: Tokens.Checkbox): string => (checked ? "[x] " : "[ ] "),

    // Addresses stay letter for letter: the guards compare them with those that tools returned.
    link({ href, title, tokens }: Tokens.Link): string {
      return counted(`<a href="${escape(href)}"${titled(title)}>`) + `${this.parser.parseInline(tokens)}</a>`;
    },

    image: ({ href, title, text }: Tokens.Image): string => counted(`<img src="${escape(href)}" alt="${escape(text)}"${titled(title)}>`),
  },
};

function isPicture(token: Token): boolean {
  return token.type === "image" || (token.type === "text" && token.raw.trim() === "");
}

function titled(title: string | null | undefined): string {
  return title ? ` title="${escape(title)}"` : "";
}

/** Text for HTML. What is an entity already stays one, except in code. */
function escape(text: string, inCode = false): string {
  const ampersand = inCode ? /&/g : /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);)/gi;
  return text.replace(ampersand, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
