// Instances of the route behind nginx that are killed, closed and hung at random moments, over a log in a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { play } from "../instances/game.mjs";
import { needs } from "./stores.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
const RUNS = Number(process.env.COPYDESK_INSTANCE_RUNS) || 10;
console.log(`COPYDESK_SEED=${seed}`);

const STORES = (process.env.COPYDESK_INSTANCE_STORES ?? "redis").split(",");

for (const store of STORES)
  test(`${RUNS} runs over ${store}: no event is lost or doubled, no call runs twice`, { ...needs.nginx, ...needs[store] }, async (t) => {
    const faults = await play(t, { runs: RUNS, seed, store });
    t.diagnostic(JSON.stringify(faults));
    assert.ok(Object.values(faults).some((count) => count > 0));
  });
