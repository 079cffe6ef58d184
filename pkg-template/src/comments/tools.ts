/** The tools with which an agent reads, writes and resolves comments. */

import { documentOf } from "../document/document-of.js";
import type { Document } from "../document/document.js";
import { CopydeskError, members } from "../base/error.js";
import { isObject } from "../base/json.js";
import { localeOf } from "../base/locale.js";
import type { AgentHooks, EditorWithCopydesk } from "../agent/options.js";
import { readAuthor } from "../suggestions/entry.js";
import type { AgentTool, Author, Hunk, Line, Locale } from "../types/index.js";
import type { CommentsStorage } from "./extension.js";
import { linesOf, rangeIn, toBase } from "./places.js";
import type { CommentStore, CommentThread } from "./store.js";
import { toolWords } from "./tool-words.js";
import { commentWords } from "./words.js";

export interface CommentToolsOptions {
  /** The editor, with the extension `Copydesk`, or the document of a room. */
  document: EditorWithCopydesk | Document;
  /** The comments. Default: those of the extension `Comments` of the editor. */
  comments?: CommentStore;
  /** The author of the agent's comments. Default: that of its suggestions, or "Assistant". */
  author?: Omit<Author, "kind">;
  /** The language of descriptions and errors. Default: the page's. */
  locale?: Locale;
}

/** Characters of a quoted text that a model is shown. */
const QUOTED = 200;
/** Tools that read the document. Their results get the comments of what they show. */
const READING = new Set(["get_document", "read_lines"]);

/** Returns the tools `list_comments`, `add_comment`, `reply_to_comment` and `resolve_comment`, for the option `tools`. */
export function commentTools(options: CommentToolsOptions): AgentTool[] {
  return new CommentTools(options).tools;
}

/** Returns options of an agent that reads comments beside the document, writes and resolves them, and edits. */
export function withComments(options: CommentToolsOptions): {
  tools: AgentTool[];
  afterToolCall: NonNullable<AgentHooks["afterToolCall"]>;
} {
  const tools = new CommentTools(options);
  return { tools: tools.tools, afterToolCall: (context) => tools.after(context) };
}

/** Returns options of an agent that reads the document, and can write comments but change no text: it has no other tools. */
export function commentOnly(options: CommentToolsOptions): { builtInTools: false; tools: AgentTool[] } {
  const made = new CommentTools(options);
  return { builtInTools: false, tools: [made.reading, ...made.tools] };
}

class CommentTools {
  readonly #document: Document;
  readonly #comments: CommentStore;
  readonly #author: () => Author;
  readonly #locale: Locale;
  /** The threads whose text was there at the last look. */
  #anchored: Set<string>;
  /** Tool calls whose pending changes belong to a reply. */
  readonly #claimed = new Set<string>();

  constructor(options: CommentToolsOptions) {
    const { document, comments, author, locale } = members(options, "options");
    this.#document = documentOf(document);
    type Storage = { comments?: CommentsStorage; suggestions?: { agentAuthor?: Author } };
    const storage = (document as { storage?: Storage }).storage;
    const store = comments ?? storage?.comments;
    const wanted = "the comments of another store, or an editor with the extension Comments";
    if (!store)
      throw new CopydeskError({
        code: "invalid_parameter",
        message: `comments is missing; pass ${wanted}.`,
        details: { name: "comments" },
      });
    this.#comments = store;
    this.#locale = localeOf(locale);
    const own = author && readAuthor({ ...author, kind: "agent" });
    this.#author = () =>
      own ?? storage?.suggestions?.agentAuthor ?? { kind: "agent", name: commentWords(this.#locale).assistant };
    this.#anchored = this.#withText();
  }

  get #m() {
    return toolWords(this.#locale);
  }

  get tools(): AgentTool[] {
    const m = this.#m;
    const text = { type: "string", description: m.text };
    const id = { type: "string", description: m.id };
    const tool = (
      name: keyof typeof m.tools,
      properties: Record<string, object>,
      required: string[],
      run: (params: Record<string, unknown>) => unknown,
    ): AgentTool => ({
      name,
      description: m.tools[name],
      parameters: { type: "object", properties, required },
      // A reply follows the edits before it in the same answer.
      executionMode: "sequential",
      execute: (_id, params) => run(params),
    });
    return [
      tool(
        "list_comments",
        {
          start_line: { type: "integer", description: m.startLine },
          end_line: { type: "integer", description: m.endLine },
          include_resolved: { type: "boolean", description: m.includeResolved },
        },
        [],
        ({ start_line: start, end_line: end, include_resolved: all }) => {
          const comments = this.#listed(start as number | undefined, end as number | undefined, all === true);
          return { comments, total: comments.length };
        },
      ),
      tool(
        "add_comment",
        { line: { type: "integer", description: m.line }, text, quote: { type: "string", description: m.quote } },
        ["line", "text"],
        async ({ line, text, quote }) => {
          const range = this.#rangeOf(line as number, quote as string | undefined);
          const id = await this.#comments.create(range, { text: text as string, author: this.#author() });
          this.#anchored.add(id);
          return { success: true, id };
        },
      ),
      tool("reply_to_comment", { id, text }, ["id", "text"], async ({ id, text }) => {
        const thread = this.#thread(id);
        const changes = this.#changesFor(thread);
        await this.#comments.reply(thread.id, { text: text as string, author: this.#author(), changes });
        return { success: true, ...(changes.length && { pending: true, note: m.pending }) };
      }),
      tool("resolve_comment", { id, text: { ...text, description: m.closing } }, ["id"], async ({ id, text }) => {
        const thread = this.#thread(id);
        const changes = this.#changesFor(thread);
        const author = this.#author();
        if (typeof text === "string" && text.trim()) await this.#comments.reply(thread.id, { text, author, changes });
        await this.#comments.resolve(thread.id, { author, changes });
        return { success: true, ...(changes.length && { pending: true, note: m.pending }) };
      }),
    ];
  }

  /** The tool that reads lines, for an agent without built-in tools. */
  get reading(): AgentTool {
    const m = this.#m;
    return {
      name: "read_lines",
      description: m.readLines,
      parameters: {
        type: "object",
        properties: {
          start_line: { type: "integer", description: m.startLine },
          end_line: { type: "integer", description: m.endLine },
        },
      },
      executionMode: "sequential",
      execute: (_id, { start_line: start, end_line: end }) => {
        const from = start as number | undefined;
        const to = end as number | undefined;
        const lines = this.#document.numbered({
          style: "structure",
          locale: this.#locale,
          ...(from !== undefined && { start: from }),
          ...(to !== undefined && { end: to }),
        });
        return this.#withListed(lines, this.#listed(from, to, false));
      },
    };
  }

  /** Adds comments to the result of a call: those of the lines that were read, and those whose text an edit deletes. */
  after({ toolCall, args, result, isError }: Parameters<NonNullable<AgentHooks["afterToolCall"]>>[0]) {
    if (isError) return undefined;
    const { start_line: start, end_line: end } = args as { start_line?: number; end_line?: number };
    if (READING.has(toolCall.name)) {
      const listed = this.#listed(start, end, false);
      return listed.length ? { content: this.#withListed(result, listed) } : undefined;
    }
    const lost = this.#lostBy(toolCall.id);
    if (!lost.length || !isObject(result) || Array.isArray(result)) return undefined;
    return { content: { ...result, lostComments: lost, note: this.#m.lost } };
  }

  #withListed(result: unknown, listed: readonly object[]): unknown {
    if (!listed.length) return result;
    if (typeof result === "string") return `${result}\n\n${this.#m.comments}\n${JSON.stringify(listed)}`;
    return isObject(result) && !Array.isArray(result) ? { ...result, comments: listed } : result;
  }

  /** Returns the comments whose text is deleted by the edit of a call, or will be when it is accepted. */
  #lostBy(toolId: string): object[] {
    const anchored = this.#withText();
    const hunks = this.#document.hunks().filter(({ toolIds, newText }) => toolIds.includes(toolId) && !newText);
    const isLost = ({ id, state, range }: CommentThread) =>
      state === "open" &&
      (range
        ? hunks.some(({ from, to }) => from <= range.from && range.to <= to)
        : this.#anchored.has(id) && !anchored.has(id));
    const lost = this.#comments.threads().filter(isLost);
    this.#anchored = anchored;
    return lost.map(({ id, quote, comments }) => ({ id, quote: cut(quote), comment: cut(comments[0]?.text ?? "") }));
  }

  #withText(): Set<string> {
    return new Set(this.#comments.threads().flatMap(({ id, range }) => (range ? [id] : [])));
  }

  #listed(start: number | undefined, end: number | undefined, all: boolean): object[] {
    const [lines, hunks] = [this.#document.lines(), this.#document.hunks()];
    return this.#comments.threads().flatMap((thread) => {
      const { id, state, range, quote, isResolving } = thread;
      if (state === "resolved" && !all) return [];
      const covered = range ? linesOf(range, lines, hunks) : undefined;
      if (start !== undefined || end !== undefined) {
        if (!covered || covered.last < (start ?? 1) || covered.first > (end ?? start ?? Infinity)) return [];
      }
      const comments = thread.comments
        .filter((comment) => comment.state !== "withdrawn")
        .map(({ author, text, time, state }) => ({
          author: author.name || author.kind,
          ...(author.kind === "agent" && { byAgent: true }),
          text,
          ...(time && { time: new Date(time).toISOString() }),
          ...(state === "pending" && { pending: true }),
        }));
      const place = covered ? { lines: [covered.first, covered.last] } : { textDeleted: true };
      return [{ id, ...place, quote: cut(quote), state: isResolving ? "resolved if accepted" : state, comments }];
    });
  }

  #thread(id: unknown): CommentThread {
    const threads = this.#comments.threads();
    const found = threads.find((thread) => thread.id === id);
    if (found) return found;
    const ids = threads.map((thread) => thread.id).slice(0, 50);
    throw new Error(this.#m.noThread(String(id).slice(0, 100), ids));
  }

  /** Returns the range of a text in a line, in the editor's document. */
  #rangeOf(number: number, quote: string | undefined): { from: number; to: number } {
    const m = this.#m;
    const [lines, hunks] = [this.#document.lines(), this.#document.hunks()];
    const line = lines[number - 1];
    if (!line) throw new Error(m.noLine(number, lines.length));
    const found = quote ? this.#find(quote, line, lines) : rangeIn(line, 0, line.text.length);
    if (!found) throw new Error(m.noQuote(cut(quote ?? ""), number, cut(line.text)));
    if (found.from >= found.to) throw new Error(m.emptyLine(number));
    const range = toBase(found, hunks);
    if (!range) throw new Error(m.proposed);
    return range;
  }

  /** Finds a text in its line or, if the lines have moved, in the only other line that has it. */
  #find(quote: string, line: Line, lines: readonly Line[]): { from: number; to: number } | undefined {
    const inLine = (one: Line) => {
      const offset = one.text.indexOf(quote);
      return offset < 0 ? undefined : rangeIn(one, offset, quote.length);
    };
    const others = () => lines.flatMap((one) => inLine(one) ?? []);
    const here = inLine(line);
    if (here) return here;
    const all = others();
    return all.length === 1 ? all[0] : undefined;
  }

  /**
   * Returns the tool calls whose pending changes belong to a reply: those of agents in the blocks of the thread's text
   * or, if there are none, all that belong to no reply yet. They are decided together.
   */
  #changesFor({ range }: CommentThread): string[] {
    const free = ({ toolIds }: Hunk) => toolIds.length > 0 && toolIds.some((id) => !this.#claimed.has(id));
    const hunks = this.#document.hunks().filter((hunk) => hunk.toolIds.length > 0);
    const near = range ? hunks.filter((hunk) => this.#isNear(hunk, range)) : [];
    const meant = near.length ? near : hunks.filter(free);
    const ids = [...new Set(meant.flatMap(({ toolIds }) => toolIds))];
    for (const id of ids) this.#claimed.add(id);
    return ids;
  }

  /** True if a hunk is in the lines of a range. */
  #isNear(hunk: Hunk, range: { from: number; to: number }): boolean {
    const covered = linesOf(range, this.#document.lines(), this.#document.hunks());
    const touches = hunk.from <= range.to && hunk.to >= range.from;
    return touches || (!!covered && hunk.startLine <= covered.last && hunk.endLine >= covered.first);
  }
}

function cut(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}
