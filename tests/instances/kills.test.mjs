// Instances of the route behind nginx that are killed, closed and hung at random moments, over a log in a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { play } from "./game.mjs";
import { needs } from "../packaging/stores.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
const RUNS = Number(process.env.COPYDESK_INSTANCE_RUNS) || 10;
console.log(`COPYDESK_SEED=${seed}`);

const STORES = (process.env.COPYDESK_INSTANCE_STORES ?? "redis").split(",");
/** The formats, and the part of the runs that each of them plays. */
const FORMATS = { copydesk: 1, "ui-message-stream": 0.4, "ag-ui": 0.4 };

for (const store of STORES)
  for (const [format, part] of Object.entries(FORMATS)) {
    const runs = Math.ceil(RUNS * part);
    const name = `${runs} runs over ${store} in the format ${format}: nothing is lost or doubled, no call runs twice`;
    test(name, { ...needs.nginx, ...needs[store] }, async (t) => {
      const faults = await play(t, { runs, seed, store, format });
      t.diagnostic(JSON.stringify(faults));
      for (const [fault, count] of Object.entries(faults)) assert.ok(count > 0, `no instance was ${fault}, COPYDESK_SEED=${seed}`);
    });
  }
