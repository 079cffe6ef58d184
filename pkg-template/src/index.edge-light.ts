/** `copydesk` in edge functions (Vercel, Next.js), which compile wasm at deployment only: the module is imported. */

import { full } from "./loading/full-build.js";
import { markdownToHTML } from "./markdown/markdown-content.js";
import { provide } from "./loading/parts.js";
import module from "./wasm/full/copydesk_bg.wasm?module";

const build = async () => ({ ...full, source: () => module });

provide({ page: build, full: build, markdown: async () => ({ markdownToHTML }) });

export * from "./api.js";
