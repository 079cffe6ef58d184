/**
 * The demo model's `fetch`. It answers chat completions from the script, as a server would; all other requests go to
 * the network. If the image search cannot be reached, it returns images shipped with the demo.
 */
import { loadArticles } from "./articles";
import { searchBundledImages } from "./images";
import { languageOfRequest } from "./intent";
import { nextStep } from "./script";
import { chunks, currentRequest, textOf, type WireRequest } from "./wire";

/** The prompts of runs that the user has stopped, by their number in the conversation. */
const stopped = new Map<number, string>();
/** Marks the prompts of the last request as stopped. */
let stopLast = () => {};

/** Notes that the user stops the run: between two requests no signal says so. */
export const stopRun = (): void => stopLast();

export { loadArticles };

/** Loads the part of the script about files, which pages without files do not need. */
export const loadStory = () => import("./story");

/** Loads the part of the script about skills, rules and servers. */
export const loadGuided = () => import("./guided");

/** Returns true if a request has skills, rules or tools of servers. */
function isGuided(system: string, tools: ReadonlySet<string>): boolean {
  return (
    /^(?:Rules\. |规则。|Skills are instructions |技能是)/m.test(system) ||
    [...tools].some((name) => name.includes("__"))
  );
}

const NO_MESSAGE = { role: "system", content: "" } as const;

/** Timeout of requests to other servers, in milliseconds. */
const TIMEOUT = 4000;

export async function demoFetch(input: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(typeof input === "string" ? input : String((input as Request).url ?? input), location.href);
  init.signal?.throwIfAborted();
  if (url.pathname.endsWith("/chat/completions")) return completion(init);
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

function isOpenverse(url: URL): boolean {
  return url.hostname.endsWith("openverse.org") || url.hostname.endsWith("openverse.engineering");
}

async function completion(init: RequestInit): Promise<Response> {
  const body = typeof init.body === "string" ? init.body : await new Response(init.body).text();
  const request = JSON.parse(body) as WireRequest;
  const current = currentRequest(request.messages);
  // A request whose run was stopped is not taken up again by the next one.
  const last = current.prompts.at(-1);
  if (last) stopped.delete(last.number);
  const prompts = current.prompts.filter(({ number, text }) => stopped.get(number) !== text);
  const calls = prompts.length === current.prompts.length ? current.calls : current.callsSince;
  const onStop = () => prompts.forEach(({ number, text }) => stopped.set(number, text));
  stopLast = onStop;
  for (const { text } of prompts) await loadArticles(languageOfRequest(text));
  const tools = new Set(request.tools?.map((tool) => tool.function.name));
  const story = tools.has("write_chapter") ? await loadStory() : undefined;
  const state = { ...current, prompts, calls, tools, story };
  const system = textOf(request.messages.find(({ role }) => role === "system" || role === "developer") ?? NO_MESSAGE);
  const isOfServer = ({ name }: { name: string }) => name.includes("__");
  const step =
    isGuided(system, tools) || calls.some(isOfServer)
      ? (await loadGuided()).guidedStep({ state, system, tools: request.tools ?? [], next: nextStep })
      : nextStep(state);
  const lines = chunks(step, Math.ceil(body.length / 4));
  return new Response(stream(lines, onStop, init.signal ?? undefined), {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8" },
  });
}

/** Streams an answer; `onStop` is called if it is stopped before its end. */
function stream(
  lines: Iterator<string>,
  onStop: () => void,
  signal?: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let isComplete = false;
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener("abort", () => {
        if (!isComplete) onStop();
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
      isComplete ||= done || value === "[DONE]";
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`data: ${value}\n\n`));
    },
  });
}

/** Waits between two chunks, except in a hidden page, whose timers fire only once a second. */
function pause(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 12));
}
