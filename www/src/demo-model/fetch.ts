/**
 * The demo model's `fetch`. It answers chat completions from the script, as a server would; everything else goes out to
 * the network, and where there is none, pictures come from the drawings that are shipped with the demo.
 */
import { answerFromDrawings } from "./drawings";
import { nextStep } from "./script";
import { chunks, present, type WireRequest } from "./wire";

/** How long another server may take before the page goes on without it, in milliseconds. */
const PATIENCE = 4000;

export async function demoFetch(input: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(typeof input === "string" ? input : String((input as Request).url ?? input), location.href);
  init.signal?.throwIfAborted();
  if (url.pathname.endsWith("/chat/completions")) return completion(init);
  try {
    const limit = AbortSignal.timeout(PATIENCE);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const response = await fetch(input, { ...init, signal });
    if (!response.ok && isOpenverse(url)) return answerFromDrawings(url);
    return response;
  } catch (error) {
    init.signal?.throwIfAborted();
    if (isOpenverse(url)) return answerFromDrawings(url);
    throw error instanceof TypeError ? error : new TypeError("Failed to fetch");
  }
}

function isOpenverse(url: URL): boolean {
  return url.hostname.endsWith("openverse.org") || url.hostname.endsWith("openverse.engineering");
}

async function completion(init: RequestInit): Promise<Response> {
  const body = typeof init.body === "string" ? init.body : await new Response(init.body).text();
  const request = JSON.parse(body) as WireRequest;
  const { request: asked, calls } = present(request.messages);
  const tools = new Set(request.tools?.map((tool) => tool.function.name));
  const step = nextStep({ asked, calls, tools });
  const lines = chunks(step, Math.ceil(body.length / 4));
  return new Response(stream(lines, init.signal ?? undefined), {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8" },
  });
}

function stream(lines: Iterator<string>, signal?: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener("abort", () => {
        try {
          controller.error(new DOMException("The request was aborted.", "AbortError"));
        } catch {
          // The stream had ended before.
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

/** The time between two pieces. A hidden page's timers are slowed down to a second, so there is none there. */
function pause(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 12));
}
