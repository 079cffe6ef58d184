// Names the functions of a wasm file so that sorted by name, each is beside the one that is most like it: brotli writes a
// copy from nearby in fewer bits, and what is alike shares its statistics.
import { readFileSync, writeFileSync } from "node:fs";

/** The length of the runs of bytes that are compared. */
const RUN = 4;
/** Runs that more functions have say nothing, and take the most time. */
const MOST_FUNCTIONS = 4000;
/** The number of different hashes of runs. */
const HASHES = 2 ** 22;

const IMPORTS = 2;
const CODE = 10;

const [from, to] = process.argv.slice(2);
const wasm = readFileSync(from);
const { imported, bodies } = functions(wasm);
const names = ordered(bodies).map((index, rank) => [imported + index, String(rank).padStart(8, "0")]);
names.sort(([a], [b]) => a - b);
writeFileSync(to, Buffer.concat([wasm, section(names)]));

/** Returns the number of imported functions, and the bodies of the others. */
function functions(bytes) {
  let at = 8;
  let imported = 0;
  const bodies = [];
  const number = () => {
    let value = 0;
    for (let bits = 0; ; bits += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** bits;
      if (byte < 128) return value;
    }
  };
  const name = () => {
    const length = number();
    at += length;
  };
  const limits = () => {
    const hasMost = number() & 1;
    number();
    if (hasMost) number();
  };
  while (at < bytes.length) {
    const id = bytes[at++];
    const end = number() + at;
    if (id === IMPORTS) {
      for (let left = number(); left > 0; left--) {
        name();
        name();
        const kind = bytes[at++];
        if (kind === 0) imported++;
        if (kind === 0) number();
        else if (kind === 1) (at++, limits());
        else if (kind === 2) limits();
        else at += 2;
      }
    }
    if (id === CODE) {
      for (let left = number(); left > 0; left--) {
        const length = number();
        bodies.push(bytes.subarray(at, (at += length)));
      }
    }
    at = end;
  }
  return { imported, bodies };
}

/**
 * Returns the indexes of the bodies. Behind each is the one of the rest that has the largest part of its runs in common
 * with it, or else the shortest.
 */
function ordered(bodies) {
  const runs = bodies.map(runsOf);
  const { start, functions, end } = functionsByRun(runs);
  const isPlaced = new Uint8Array(bodies.length);
  const common = new Uint32Array(bodies.length);
  const order = [];
  for (const shortest of [...bodies.keys()].sort((a, b) => bodies[a].length - bodies[b].length || a - b)) {
    for (let next = isPlaced[shortest] ? undefined : shortest; next !== undefined; next = mostLike(next)) {
      isPlaced[next] = 1;
      order.push(next);
    }
  }
  return order;

  function mostLike(index) {
    const found = [];
    for (const run of runs[index]) {
      if (start[run + 1] - start[run] > MOST_FUNCTIONS) continue;
      for (let at = start[run]; at < end[run];) {
        const other = functions[at];
        if (isPlaced[other]) {
          functions[at] = functions[--end[run]];
          continue;
        }
        if (common[other]++ === 0) found.push(other);
        at++;
      }
    }
    let best;
    let most = 0;
    for (const other of found) {
      const part = common[other] / (runs[index].length + runs[other].length - common[other]);
      if (part > most) [best, most] = [other, part];
      common[other] = 0;
    }
    return best;
  }
}

/** Returns the hashes of all runs of a body, each once. */
function runsOf(body) {
  const hashes = new Set();
  for (let start = 0; start + RUN <= body.length; start++) {
    let hash = 2166136261;
    for (let at = start; at < start + RUN; at++) hash = Math.imul(hash ^ body[at], 16777619);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    hashes.add(((hash ^ (hash >>> 13)) >>> 0) % HASHES);
  }
  return Uint32Array.from(hashes);
}

/** Returns the functions that have each run: those of a run are from its `start` to its `end`. */
function functionsByRun(runs) {
  const start = new Uint32Array(HASHES + 1);
  for (const own of runs) for (const run of own) start[run + 1]++;
  for (let run = 0; run < HASHES; run++) start[run + 1] += start[run];
  const end = start.slice();
  const functions = new Uint32Array(start[HASHES]);
  runs.forEach((own, index) => own.forEach((run) => (functions[end[run]++] = index)));
  return { start, functions, end };
}

/** Returns a name section with the names of these functions. */
function section(names) {
  const number = (value) => Buffer.from(value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)]);
  const sized = (bytes) => Buffer.concat([number(bytes.length), bytes]);
  const text = (value) => sized(Buffer.from(value));
  const named = names.map(([index, name]) => Buffer.concat([number(index), text(name)]));
  const ofFunctions = sized(Buffer.concat([number(names.length), ...named]));
  return Buffer.concat([Buffer.from([0]), sized(Buffer.concat([text("name"), Buffer.from([1]), ofFunctions]))]);
}
