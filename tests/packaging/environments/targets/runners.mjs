import { NOTHING, TIPTAP } from "./common.mjs";

const jest = (name, environment, packages, rest) => ({
  name,
  packages: { ...TIPTAP, jest: "30.5.2", ...packages },
  takes: NOTHING,
  files: {
    "package.json": { jest: { testEnvironment: environment, testMatch: [`**/${rest.test ?? "commonjs"}.test.cjs`] } },
  },
  tests: [["jest"]],
  ...rest.target,
});

const JSDOM = { "jest-environment-jsdom": "30.5.2" };
const vitest = (name, environment, packages) => ({
  name,
  packages: { ...TIPTAP, vitest: "5.1.1", ...packages },
  takes: NOTHING,
  tests: [["vitest", "run", "--environment", environment, "modules.test.mjs"]],
});

export const runners = [
  jest("Jest 30, node", "node", {}, {}),
  jest("Jest 30, jsdom", "jest-fixed-jsdom", { "jest-fixed-jsdom": "0.0.11", ...JSDOM }, {
    target: { takes: "the environment `jest-fixed-jsdom`" },
  }),
  jest("Jest 30, jest-environment-jsdom", "jest-environment-jsdom", JSDOM, {
    test: "bare-jsdom",
    target: { works: "no: `init()` fails and names the way out", takes: "`jest-fixed-jsdom` instead" },
  }),
  vitest("Vitest 5, node", "node", {}),
  vitest("Vitest 5, jsdom", "jsdom", { jsdom: "26.1.0" }),
  vitest("Vitest 5, happy-dom", "happy-dom", { "happy-dom": "21.0.4" }),
];
