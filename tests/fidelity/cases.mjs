// All cases, by class.
import { readdirSync } from "node:fs";
import { randomFrom } from "../oracle/random.mjs";

const dir = new URL("./cases/", import.meta.url);
const files = readdirSync(dir)
  .filter((file) => file.endsWith(".mjs"))
  .sort();

/** Every case, in the order of the classes. */
export const cases = (await Promise.all(files.map((file) => import(new URL(file, dir))))).flatMap(
  (module) => module.default,
);

/**
 * Returns about `count` cases, of every class as many as its share; of any class, if there are more classes than that. The same
 * seed gives the same cases.
 */
export function sampleOf(all, count, seed) {
  const random = randomFrom(seed);
  const classes = new Set(all.map((one) => one.class));
  const isIn = (one, name) => classes.size > count || one.class === name;
  return (classes.size > count ? ["any"] : [...classes]).flatMap((name) => {
    const left = all.filter((one) => isIn(one, name));
    const size = Math.max(1, Math.round((count * left.length) / all.length));
    return Array.from({ length: size }, () => left.splice(random.below(left.length), 1)[0]);
  });
}
