// All cases, by class.
import { readdirSync } from "node:fs";

const dir = new URL("./cases/", import.meta.url);
const files = readdirSync(dir)
  .filter((file) => file.endsWith(".mjs"))
  .sort();

/** Every case, in the order of the classes. */
export const cases = (await Promise.all(files.map((file) => import(new URL(file, dir))))).flatMap(
  (module) => module.default,
);
