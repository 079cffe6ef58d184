/** Conversion of Markdown, which models write at times, by a parser that is loaded on demand. */

import type { Marked, MarkedExtension, Token, Tokenizer, Tokens } from "marked";
import { CopydeskError } from "./error.js";

let convert: ((markdown: string) => string) | undefined;
let loading: Promise<void> | undefined;
let parser: ParserLoader | undefined;

/** Loads the classes of `marked` that are used. */
export type ParserLoader = () => Promise<{ Marked: typeof Marked; Tokenizer: typeof Tokenizer }>;

/** Sets how the parser is loaded, which depends on the entry point. */
export function setParserLoader(loader: ParserLoader): void {
  parser = loader;
}

/**
 * Loads the Markdown parser, so that `document.apply` accepts Markdown. An agent loads it when its model writes
 * Markdown. Later calls return the same promise; a failed call can be repeated.
 *
 * @throws a {@link CopydeskError} with the code `markdown_not_loaded`, whose `cause` is the original error.
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

/** The time limit of a conversion, in milliseconds: marked takes quadratic time for some input. */
const LONGEST_MS = 2_000;
/** The limit of the HTML, in characters: a short reference can stand for a long URL many times. */
const LONGEST_HTML = 10_000_000;

/** The deadline of the current conversion, and the length of the HTML of its links and images. */
let [deadline, written] = [0, 0];

/** Thrown beyond a limit; the wasm turns it into an error with a message. */
class LimitError extends Error {
  constructor(given: { ms: number } | { characters: number }) {
    super("too large");
    Object.assign(this, given);
  }
}

/**
 * Converts Markdown to HTML; undefined while the parser is not loaded.
 *
 * @throws errors of the parser, and an error with `ms` or `characters` beyond a limit.
 */
export function markdownToHTML(markdown: string): string | undefined {
  [deadline, written] = [performance.now() + LONGEST_MS, 0];
  return convert?.(markdown);
}

function checkDeadline(): false {
  if (performance.now() > deadline) throw new LimitError({ ms: LONGEST_MS });
  // False lets the parser handle the token.
  return false;
}

function countHTML(html: string): string {
  written += html.length;
  if (written > LONGEST_HTML) throw new LimitError({ characters: LONGEST_HTML });
  return html;
}

async function load(): Promise<void> {
  if (!parser) throw new Error("Import copydesk by one of its entry points, such as `copydesk`.");
  const { Marked, Tokenizer } = await parser();
  const emphasis = Tokenizer.prototype.emStrong;
  const marked = new Marked({ gfm: true, async: false }, asTipTap, {
    tokenizer: {
      // CommonMark joins `**注意：**不要` to one word, because it expects spaces between words.
      emStrong(source, masked, before = "") {
        return emphasis.call(this, source, masked.replace(CLOSED_BY_SIGN, "x"), WIDE.test(before) ? "" : before);
      },
    },
  });
  convert = (markdown) => marked.parse(markdown, { async: false });
}

/** A letter of a script that is written without spaces. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A sign at the end of emphasised text, before such a letter. */
const CLOSED_BY_SIGN = new RegExp(`[\\p{P}\\p{S}](?=\\*+${WIDE.source})(?<!\\*)`, "gu");

/**
 * Writes HTML as TipTap's extensions parse it. Raw HTML in Markdown stays as it is: like all content it is parsed by
 * the editor's schema and checked by the guards.
 */
const asTipTap: MarkedExtension = {
  // The first tokenizers of blocks and of inline text, so they are called often enough to check the deadline.
  // A bare URL stays text: nobody wrote a link.
  tokenizer: { space: checkDeadline, escape: checkDeadline, url: () => undefined },

  renderer: {
    // A line break at the end would become an empty line of code.
    code({ text, lang }: Tokens.Code): string {
      const language = /^\S+/.exec(lang ?? "")?.[0];
      return `<pre><code${language ? ` class="language-${escape(language)}"` : ""}>${escape(text, true)}</code></pre>`;
    },

    // Images are blocks: inside a paragraph they would leave empty paragraphs behind.
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

    // Keeps a task readable in a list that is no task list.
    checkbox: ({ checked }: Tokens.Checkbox): string => (checked ? "[x] " : "[ ] "),

    // URLs stay unchanged, because the guards compare them with those that tools returned.
    link({ href, title, tokens }: Tokens.Link): string {
      return countHTML(`<a href="${escape(href)}"${titled(title)}>`) + `${this.parser.parseInline(tokens)}</a>`;
    },

    image({ href, title, text }: Tokens.Image): string {
      const alt = text ? ` alt="${escape(text)}"` : "";
      return countHTML(`<img src="${escape(href)}"${alt}${titled(title)}>`);
    },
  },
};

function isPicture(token: Token): boolean {
  return token.type === "image" || (token.type === "text" && token.raw.trim() === "");
}

function titled(title: string | null | undefined): string {
  return title ? ` title="${escape(title)}"` : "";
}

/** Escapes text for HTML. Entities stay, except in code. */
function escape(text: string, inCode = false): string {
  const ampersand = inCode ? /&/g : /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);)/gi;
  return text.replace(ampersand, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
