/**
 * `copydesk/worker`: the same interface in one piece, with the full build. It has no dynamic imports, which service
 * workers do not support, and which bundlers refuse in workers whose format is `iife`.
 */

import { full } from "./loading/full-build.js";
import { markdownToHTML } from "./markdown/markdown-content.js";
import { provide } from "./loading/parts.js";

const build = async () => full;

provide({ page: build, full: build, markdown: async () => ({ markdownToHTML }) });

export * from "./api.js";
