// Edits held against what they must come to, alone and among people who type.
import { init } from "copydesk";
import { playAll } from "./cases.js";
import { interleave, typedBeside } from "./interleaving.js";
import { sharedBy, together } from "./shared.js";

await init();
Object.assign(window, { interleave, playAll, sharedBy, together, typedBeside });
window.ready = true;
