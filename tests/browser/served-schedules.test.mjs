// The random schedules of copydesk/suggestions, comments and authorship over a Hocuspocus server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { playCases } from "./budget.mjs";
import { opener } from "./harness.mjs";
import { roomServer } from "./room-server.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const KINDS = ["schedules", "suggestingSchedules", "commentSchedules", "authorshipSchedules"];

const open = opener("suggestions");

for (const kind of KINDS)
  test(`${kind} over a server that restarts, with clients that lose their connections`, async (t) => {
    const server = await roomServer(t);
    // Clients try to connect while the server restarts.
    const page = await open(t, { expected: [/WebSocket connection to 'ws:\/\/127\.0\.0\.1/] });
    await page.exposeFunction("restartServer", (isOrderly) => server.restart(isOrderly));
    const total = { restarts: 0, losses: 0 };
    await playCases(t, { variable: "COPYDESK_SERVED_SCHEDULES", most: 40, batch: 5, seed: SEED }, async (first, count) => {
      const options = [kind, SEED + first, count, { server: server.url }];
      const { wrong, sums } = await page.evaluate(([kind, seed, count, options]) => window[kind](seed, count, options), options);
      assert.equal(wrong, null, JSON.stringify(wrong, null, 1));
      for (const [key, number] of Object.entries(sums)) total[key] = (total[key] ?? 0) + number;
    });
    t.diagnostic(JSON.stringify(total));
    assert.ok(total.restarts > 0, "the server was never restarted");
    assert.ok(Object.entries(total).some(([key, number]) => !["restarts", "losses", "done"].includes(key) && number > 0), "nothing was made");
  });
