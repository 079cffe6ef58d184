// A page under attack. One server stands for every foreign origin, whatever its name or protocol, and records each request;
// code that runs in the page and is not its own is recorded as well.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { launch, openPage, servePage } from "../harness.mjs";

/** Serves every foreign origin; `asked` has a line for every connection and every request. */
async function foreign() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/plain", connection: "close" }).end("x");
  });
  server.on("connection", () => asked.push("connection"));
  // Not HTTP: the first bytes of TLS contain the host name.
  server.on("clientError", ({ rawPacket }, socket) => {
    const name = /(?:[\w-]+\.)+[a-z]{2,}/i.exec(rawPacket?.toString("latin1") ?? "");
    asked.push(`TLS ${name?.[0] ?? ""}`);
    socket.destroy();
  });
  server.on("upgrade", (request, socket) => {
    asked.push(`upgrade ${request.headers.host}${request.url}`);
    socket.destroy();
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  after(() => (server.closeAllConnections(), server.close()));
  return { asked, host: `127.0.0.1:${server.address().port}` };
}

const outside = foreign();
let browser;
let url;

/**
 * Opens a page whose foreign origins are all that server. `page.asked` lists the requests to it; `page.trapped` what ran,
 * opened, navigated or downloaded, and `page.requested` all requests of the page, those to itself included, since `page.arm()`.
 * `page.quiet()` is asserted at the end of the test, unless `options.loud`. With `ownPictures` the page may request images from
 * its own site, as it may where an app applies an edit with relative URLs; `ownServers` belong to the page, such as its model's.
 */
export async function openAttacked(t, address, { loud = false, ownPictures = false, ownServers = [], prepare, ...options } = {}) {
  const { asked, host } = await outside;
  asked.length = 0;
  browser ??= launch(host);
  const trapped = [];
  const requested = [];
  let armed = false;
  let page;
  let own;
  // Before the hook that closes the page.
  if (!loud) t.after(() => page && !page.isClosed() && page.quiet());
  own = await address;
  page = await openPage(t, own, {
    browser: await browser,
    ...(ownPictures && { expected: [/status of 404/] }),
    ...options,
    prepare: async (fresh) => {
      const context = fresh.context();
      await context.exposeBinding("trapped", (_, what) => void trapped.push(`ran: ${what}`));
      await context.addInitScript(() => {
        for (const name of ["alert", "confirm", "prompt", "print", "open"]) window[name] = (...args) => void window.trapped(`${name}(${args})`);
      });
      context.on("page", (other) => other !== fresh && trapped.push(`page: ${other.url()}`));
      context.on("request", (request) => {
        const given = request.url();
        if (!armed || /^(?:data|blob|about):/.test(given) || ownServers.some((server) => given.startsWith(server))) return;
        // Parts of the page that are loaded on demand, such as the parser of Markdown.
        if (request.resourceType() === "script" && given.startsWith(new URL("/assets/", own).href)) return;
        if (ownPictures && request.resourceType() === "image" && given.startsWith(own.split("?")[0])) return;
        requested.push(`${request.method()} ${given}`);
      });
      fresh.on("dialog", (dialog) => (trapped.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
      fresh.on("download", (download) => trapped.push(`download: ${download.url()}`));
      fresh.on("framenavigated", (frame) => armed && frame.url() !== "about:blank" && trapped.push(`navigation: ${frame.url()}`));
      await prepare?.(fresh);
    },
  });
  const arm = () => (armed = true);
  const quiet = async () => {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)));
    const problems = page.problems.filter((problem) => !(ownPictures && /status of 404/.test(problem)));
    assert.deepEqual({ asked, requested, trapped, problems }, { asked: [], requested: [], trapped: [], problems: [] });
  };
  Object.assign(page, { arm, asked, quiet, requested, trapped });
  return page;
}

/** The editor page, armed, with `edit(html, {extensions: hostile})`, `speak()` and `alive()`. */
export async function openEditor(t, { search = "", ...options } = {}) {
  const page = await openAttacked(t, (await (url ??= servePage("attack"))) + search, options);
  await page.waitForFunction(() => window.speak);
  await page.evaluate(() => loadMarkdown());
  page.arm();
  return page;
}
