// Shows the HTML of the server, which the app goes on from.
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { Copydesk } from "copydesk/tiptap";
import { start } from "./framework.js";

const editor = () => new Editor({ element: document.querySelector("#page"), content: "<h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Green.</p>", extensions: [StarterKit, Copydesk] });
Object.assign(globalThis.app, { editor, stop: start(document.querySelector("#app")) });
