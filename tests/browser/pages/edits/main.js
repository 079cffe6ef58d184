// Edits compared with their expected results, alone and while users type.
import { init } from "copydesk";
import { full } from "copydesk/full";
import { playAll } from "./cases.js";
import { interleave, typedBeside } from "./interleaving.js";
import { review } from "./reviewing.js";
import { sharedBy, together } from "./shared.js";
import { views } from "./views.js";

// Documents without an editor parse HTML too.
await init(undefined, full);
Object.assign(window, { interleave, playAll, review, sharedBy, together, typedBeside, views });
window.ready = true;
