/**
 * `copydesk/worker`: the same interface in one piece, with the full build. It has no dynamic imports, which service
 * workers do not support, and which bundlers refuse in workers whose format is `iife`.
 */

import { Marked, Tokenizer } from "marked";
import { full } from "./full-build.js";
import { provide } from "./parts.js";

const build = async () => full;

provide({ page: build, full: build, marked: async () => ({ Marked, Tokenizer }) });

export * from "./api.js";
