// A model that writes URLs of its own into attributes of any name, in every notation that browsers read. The judge is
// Chromium: the result of each accepted edit is shown in the editor and as a page of its own, and the server for the
// foreign origin must never receive a request. `COPYDESK_SEED=n` repeats a run, `ROUNDS=n` sets its length.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../at-end.mjs";
import { BUILDS, listen } from "../harness.mjs";
import { call, model, pageWith } from "../model.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Date.now() % 2 ** 31);
const ROUNDS = Number(process.env.ROUNDS ?? 150);

function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit) => next() % limit;
  return { below, pick: (list) => list[below(list.length)] };
}

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const references = (text) => [...text].map((sign) => `&#x${sign.codePointAt(0).toString(16)};`).join("");
const escapes = (text) => [...text].map((sign) => `\\${sign.codePointAt(0).toString(16)} `).join("");

/** Returns the URL of something on the foreign server, in one of the notations that browsers read. */
function evil({ below, pick }, port, number) {
  const host = `${pick(["127.0.0.1", "0x7f.1", "2130706433", "127.1", "localhost", "LOCALHOST", "%6cocalhost", "ｌocalhost"])}:${port}`;
  const path = `/${number}?q=secret`;
  let url = pick([`http://${host}${path}`, `//${host}${path}`, `\\\\${host}${path}`, `/\\${host}${path}`, `hTTp:\\/${host}${path}`]);
  for (let times = below(3); times > 0; times--) {
    const at = below(url.length);
    url = url.slice(0, at) + pick(["\t", "\n"]) + url.slice(at);
  }
  return pick(["", "", " ", "\u0001"]) + url;
}

/** Puts the URL into a value, as something that loads. */
function value({ below, pick }, url) {
  const bare = url.replace(/[\t\n\u0001 ]/g, "");
  return pick([
    url,
    url,
    `${url} 2x`,
    `x.png 1x, ${bare} 2x`,
    `<img src="${references(url)}">`,
    `<svg><image href="${references(url)}"/></svg>`,
    `<style>@import "${bare.replaceAll("\\", "/")}";</style>`,
    `<iframe srcdoc="${references(`<img src='${references(url)}'>`)}"></iframe>`,
    `<template shadowrootmode="open"><img src="${references(url)}"></template>`,
    `url(${escapes(bare)})`,
    `red; background: image-set("${escapes(bare)}" 1x)`,
    `--x: url("${escapes(bare)}"); background: var(--x)`,
    `background: ur\\6c("${escapes(bare)}")`,
    JSON.stringify({ deep: [{ url }] }),
  ]);
}

const NAMES = ["src", "icon", "poster", "srcset", "srcdoc", "style", "background", "backgroundImage", "link", "data", "x", "embed", "data-bg", "color", "content"];

for (const [build, search] of BUILDS) test(`no URL that a model invented is ever requested (${build} build, COPYDESK_SEED=${SEED})`, async (t) => {
  const random = generator(SEED);
  const asked = [];
  const foreign = await listen((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "image/png" }).end();
  });
  atEnd(t, () => foreign.close());
  const port = new URL(foreign.url).port;
  const rounds = Array.from({ length: ROUNDS }, (_, number) => {
    const url = evil(random, port, number);
    const [name, given] = [random.pick(NAMES), value(random, url)];
    const link = `<p><a href="${escaped(url)}">a link</a></p>`;
    const image = `<p>text</p><img src="${references(url)}">`;
    const card = `<x-card data-name="${name}" data-value="${escaped(given)}"></x-card>`;
    const content = random.pick([card, card, card, link, link + card, image, `<p>See http://127.0.0.1:${port}/${number}.</p>`]);
    return { content, plain: random.below(8) === 0 };
  });
  // A harmless one, which shows that the card can be written at all.
  rounds.push({ content: '<x-card data-name="icon" data-value="10:30"></x-card>' });
  const answers = rounds.map(({ content }, number) => ({
    calls: [call(`c${number}`, "update_section", { operation: "append", title: `Part ${number}`, content })],
  }));
  const server = await model(t, [...answers, { say: "Done." }]);
  const expected = [/./];
  const page = await pageWith(t, server.baseUrl, "<p></p>", { expected, search });
  const seen = await page.evaluate(async ({ names, rounds }) => {
    const load = {
      src: (value) => ["img", { src: value }],
      poster: (value) => ["video", { poster: value }],
      srcset: (value) => ["img", { srcset: value }],
      srcdoc: (value) => ["iframe", { srcdoc: value }],
      style: (value) => ["div", { style: value }],
      background: (value) => ["table", { background: value }],
      color: (value) => ["div", { style: `color: ${value}` }],
      backgroundImage: (value) => ["div", { style: `background-image: ${value}` }],
    };
    // What an app makes of a name that HTML does not have: each of the things that load.
    const any = (value) => ["div", {}, ...Object.values(load).map((make) => make(value))];
    const Card = Node.create({
      name: "card",
      group: "block",
      atom: true,
      addAttributes: () => Object.fromEntries(names.map((name) => [name, {
        default: null,
        rendered: false,
        parseHTML: (dom) => (dom.getAttribute("data-name") === name ? dom.getAttribute("data-value") : null),
      }])),
      parseHTML: () => [{ tag: "x-card" }],
      renderHTML: ({ node }) => {
        const [name, value] = Object.entries(node.attrs).find(([, value]) => value != null) ?? ["x", ""];
        return ["x-card", {}, (load[name] ?? any)(value)];
      },
    });
    edit("<h2>A</h2><p>x</p>", { extensions: [Card] });
    await loadMarkdown();
    agentWith({ document: window.editor, maxTurns: rounds + 10 });
    const { status } = await agent.prompt("Go on.");
    const results = events.filter(({ type }) => type === "tool_result");
    const html = window.editor.getHTML();
    // As a page of its own: whatever is written there is loaded.
    const frame = document.createElement("iframe");
    document.body.append(frame);
    frame.srcdoc = html;
    await new Promise((resolve) => (frame.onload = resolve));
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { status, codes: results.map(({ content }) => content.error?.code ?? "ok"), html };
  }, { names: NAMES, rounds: rounds.length });
  assert.equal(seen.status, "complete");
  assert.deepEqual(asked, [], `COPYDESK_SEED=${SEED}: ${seen.html}`);
  assert.equal(seen.codes.length, rounds.length);
  assert.equal(seen.codes.at(-1), "ok");
  assert.ok(seen.codes.includes("url_not_allowed") && seen.codes.includes("ok"), seen.codes.join(" "));
});
