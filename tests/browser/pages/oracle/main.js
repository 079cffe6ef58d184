// Compares copydesk and TipTap in one page. Each check returns the differences.
import { Editor } from "@tiptap/core";
import { CopydeskError, Document, init } from "copydesk";
import { full } from "copydesk/full";
import { schemaData } from "copydesk/tiptap";
import { parse, write } from "../../../oracle/tiptap.mjs";
import { compareDocument, compareDocuments, compareHTML, compareHTMLs } from "./documents.js";
import { customEditor, differencesOf } from "./custom.js";
import { followLate } from "./late.js";
import { followCollaboration, followEdits, followNumbers, followProposals } from "./sync.js";

await init(undefined, full);
Object.assign(window, { CopydeskError, Document, Editor, schemaData, parse, write });
Object.assign(window, { compareDocument, compareDocuments, compareHTML, compareHTMLs });
Object.assign(window, { customEditor, differencesOf, followCollaboration, followEdits, followLate, followNumbers, followProposals });
window.ready = true;
