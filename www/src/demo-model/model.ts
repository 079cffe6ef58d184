/**
 * The demo model. Its `fetch` answers chat completions with recorded runs, as a server would; all other requests go to
 * the network. If the image search cannot be reached, it returns images shipped with the demo.
 */
import type { AgentAction } from "copydesk/tiptap";
import type { Message } from "copydesk";
import type { Locale } from "../locale";
import type { Situation } from "./fits";
import { searchBundledImages } from "./images";
import { menuOf } from "./menu";
import { Player } from "./player";
import { actionsFor, loadRuns, runFor, suggestedPrompts } from "./runs";
import { chunks } from "./wire";

/** Milliseconds until what the first request hardly needs is loaded. */
const LATER = 3000;

/** Timeout of requests to other servers, in milliseconds. */
const TIMEOUT = 4000;

/** The time between two chunks of an answer, in milliseconds, about as a model writes. */
const PACE = 16;

/** The parts of the page that the demo model uses. */
export interface DemoPage {
  readonly messages: readonly Message[];
  readonly situation: Situation;
}

export class DemoModel {
  private player = new Player((prompt) => runFor(prompt, this.page.situation));

  constructor(private page: DemoPage) {}

  /** Loads what a request in a language needs; that of the other one follows. */
  async prepare(locale: Locale): Promise<void> {
    const [own, other] = locale === "zh-CN" ? (["zh", "en"] as const) : (["en", "zh"] as const);
    await loadRuns(own);
    // Without the network the next request in that language tries again.
    setTimeout(() => void loadRuns(other).catch(() => {}), LATER);
  }

  /** Begins a run of the agent. */
  begin(): void {
    this.player.begin();
  }

  /** Returns suggested prompts that have a run for the present state of the page. */
  async suggestions(locale: Locale): Promise<string[]> {
    const language = locale === "zh-CN" ? "zh" : "en";
    await loadRuns(language);
    return suggestedPrompts(language, this.page.situation);
  }

  /** Returns the menu for the selected text: what has no run is set apart. */
  actions(all: readonly AgentAction[]): readonly AgentAction[] {
    const { doc, selection } = this.page.situation.editor.state;
    return menuOf(all, actionsFor(doc.textBetween(selection.from, selection.to, "\n")));
  }

  async fetch(input: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(typeof input === "string" ? input : String((input as Request).url ?? input), location.href);
    init.signal?.throwIfAborted();
    if (url.pathname.endsWith("/chat/completions")) return this.complete(init);
    try {
      const limit = AbortSignal.timeout(TIMEOUT);
      const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
      const response = await fetch(input, { ...init, signal });
      if (!response.ok && isOpenverse(url)) return searchBundledImages(url);
      return response;
    } catch (error) {
      init.signal?.throwIfAborted();
      if (isOpenverse(url)) return searchBundledImages(url);
      throw error instanceof TypeError ? error : new TypeError("Failed to fetch");
    }
  }

  private async complete({ body, signal }: RequestInit): Promise<Response> {
    // Without the network those of the other language may be missing, and the next request tries again.
    await Promise.allSettled([loadRuns("en"), loadRuns("zh")]);
    const { length } = typeof body === "string" ? body : await new Response(body).text();
    const answer = await this.player.next(this.page.messages);
    return new Response(stream(chunks(answer, Math.ceil(length / 4)), signal ?? undefined), {
      status: 200,
      headers: { "content-type": "text/event-stream; charset=utf-8" },
    });
  }
}

function isOpenverse(url: URL): boolean {
  return url.hostname.endsWith("openverse.org") || url.hostname.endsWith("openverse.engineering");
}

/** Streams an answer. */
function stream(lines: Iterator<string>, signal?: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener("abort", () => {
        try {
          controller.error(new DOMException("The request was aborted.", "AbortError"));
        } catch {
          // The stream has already ended.
        }
      });
    },
    async pull(controller) {
      await pause();
      if (signal?.aborted) return;
      const { value, done } = lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`data: ${value}\n\n`));
    },
  });
}

/** Waits between two chunks, except in a hidden page, whose timers fire only once a second. */
function pause(): Promise<void> {
  // A test of the demo does not test how long an answer takes.
  const { demoPace = PACE } = globalThis as { demoPace?: number };
  if (document.hidden || demoPace === 0) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, demoPace * (0.6 + Math.random() * 0.8)));
}
