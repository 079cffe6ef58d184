// Measures workspaces beside plain JavaScript. Times are milliseconds; every figure is a list of runs.
import { indexedDBWorkspace, memoryWorkspace } from "copydesk/workspace";

const SENTENCES = [
  "雨从清晨下到黄昏，茶馆里只剩下两盏灯。",
  "She poured the tea without looking up, and the letter lay unopened between them. ",
  "“你不该回来。”他说，声音轻得像落在瓦上的灰。",
  "河对岸的钟敲了七下，没有人数到第八下。",
];

/** A book: each chapter of 3,000 characters has a day, a date, a setup and a reference to the one before. */
function book(chapters) {
  return Array.from({ length: chapters }, (_, at) => {
    const number = at + 1;
    const head = `# 第${number}章\n\n第${number}天，[TIME:${new Date(Date.UTC(2024, 0, number)).toISOString().slice(0, 10)}]\n\n[SETUP:clue-${number}] ${at ? `[REF:clue-${at}]` : ""}\n\n`;
    let text = head;
    for (let line = 0; text.length < 3000; line++) text += SENTENCES[(line + at) % 4] + (line % 3 ? "" : "\n\n");
    return [`chapters/ch${String(number).padStart(3, "0")}.md`, `${text.slice(0, 2999)}\n`];
  });
}

/** Throws unless a measurement has done its work. */
function check(isDone, problem) {
  if (!isDone) throw new Error(problem);
}

/** Runs all calls in turn, `runs` rounds, and passes the result of each to `look`. */
async function interleaved(runs, calls, look) {
  const times = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    const results = {};
    for (const [name, call] of Object.entries(calls)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const start = performance.now();
      results[name] = await call();
      times[name].push(performance.now() - start);
    }
    look(results);
  }
  return times;
}

/** Returns the durations of the tasks over 50 ms while `run` runs. */
async function longTasks(run) {
  const long = [];
  const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  await run();
  // Entries of the last task arrive after it.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200)));
  observer.disconnect();
  return long;
}

const request = (asked) => new Promise((resolve, reject) => Object.assign(asked, { onsuccess: () => resolve(asked.result), onerror: () => reject(asked.error) }));

/** The same texts in a database of one store. */
async function rawDatabase(texts) {
  const asked = indexedDB.open("raw", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("texts");
  const database = await request(asked);
  const transaction = database.transaction("texts", "readwrite");
  for (const [path, text] of texts) transaction.objectStore("texts").put(text, path);
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}

async function readRaw() {
  const database = await request(indexedDB.open("raw", 1));
  const store = database.transaction("texts").objectStore("texts");
  const [paths, texts] = await Promise.all([request(store.getAllKeys()), request(store.getAll())]);
  database.close();
  return new Map(paths.map((path, at) => [path, texts[at]]));
}

/** What a search does at least: lines and their surroundings of up to 50 matches. */
function loop(texts, find) {
  const matches = [];
  for (const [path, text] of texts) {
    for (let at = find(text, 0); at >= 0 && matches.length <= 50; at = find(text, at + 1)) {
      const line = text.slice(0, at).split("\n").length;
      const lines = text.split("\n");
      matches.push({ path, line, text: lines[line - 1], before: lines.slice(Math.max(0, line - 3), line - 1), after: lines.slice(line, line + 2) });
    }
    if (matches.length > 50) break;
  }
  return matches;
}

const withRegex = (regex) => (text, from) => {
  regex.lastIndex = from;
  return regex.exec(text)?.index ?? -1;
};

/** Throws unless a search found the lines that a loop found, up to the limit of the shorter of the two. */
function checkLines(name, { matches }, found) {
  const places = (list) => [...new Set(list.map(({ path, line }) => `${path}:${line}`))];
  const [ours, theirs] = [places(matches), places(found)];
  const both = Math.min(ours.length, theirs.length);
  const isSame = !ours.length === !theirs.length && ours.slice(0, both).join() === theirs.slice(0, both).join();
  check(isSame && !both === (name !== "frequent"), `${name}: the search found ${ours.length} lines, the loop ${theirs.length}`);
}

async function searching(chapters, runs) {
  const texts = new Map(book(chapters));
  const files = memoryWorkspace(Object.fromEntries(texts));
  const folded = (pattern) => (text, from) => text.toLowerCase().indexOf(pattern, from);
  const exactly = (pattern) => (text, from) => text.indexOf(pattern, from);
  const days = /第(\d+)天|Day (\d+)|\[TIME:(\d{4})-(\d\d)-(\d\d)\]/g;
  const marks = /\[(SETUP|REF):([^\]]+)\]/g;
  const collected = (regex) => {
    const found = [];
    for (const [path, text] of texts) for (const match of text.matchAll(regex)) found.push([path, match.index, match[0]]);
    return found;
  };
  await files.search({ pattern: "begin" });
  const times = await interleaved(runs, {
    nothing: () => files.search({ pattern: "nowhere", paths: [] }),
    exact: () => files.search({ pattern: "nowhere", caseSensitive: true }),
    exactLoop: () => loop(texts, exactly("nowhere")),
    folded: () => files.search({ pattern: "nowhere" }),
    foldedLoop: () => loop(texts, folded("nowhere")),
    chinese: () => files.search({ pattern: "没有这句话" }),
    chineseLoop: () => loop(texts, exactly("没有这句话")),
    frequent: () => files.search({ pattern: "tea" }),
    frequentLoop: () => loop(texts, folded("tea")),
    regex: () => files.search({ pattern: "钟敲了[八九十]下", regex: true }),
    regexLoop: () => loop(texts, withRegex(/钟敲了[八九十]下/gimu)),
    regexWords: () => files.search({ pattern: "\\bnow\\w+e\\b", regex: true }),
    regexWordsLoop: () => loop(texts, withRegex(/\bnow\w+e\b/gimu)),
    timeline: () => files.check("timeline"),
    timelineLoop: () => collected(days),
    references: () => files.check("references"),
    referencesLoop: () => collected(marks),
  }, (results) => {
    for (const name of ["exact", "folded", "chinese", "frequent", "regex", "regexWords"]) checkLines(name, results[name], results[`${name}Loop`]);
    const { timeline, references, timelineLoop, referencesLoop } = results;
    check(timelineLoop.length === 2 * chapters && referencesLoop.length === 2 * chapters - 1, "the loop has not found all marks");
    check(!timeline.errors.length && !references.errors.length, "the checks find errors in a book that has none");
    check(references.warnings.map(({ code }) => code).join() === "unused_setup", "verify_strict_references did not find the last clue");
  });
  const long = await longTasks(async () => {
    for (const query of [{ pattern: "nowhere" }, { pattern: "tea" }, { pattern: "\\w+ing", regex: true }, { pattern: "(x+)+$", regex: true }]) await files.search(query);
    await files.check("timeline");
    await files.check("references");
  });
  const [last] = [...texts.keys()].slice(-1);
  await files.write(last, texts.get(last).replaceAll(/第\d+天/g, "第1天"));
  check((await files.check("timeline")).errors.some(({ file }) => file === last), "verify_strict_timeline did not find a day that is wrong");
  await files.close();
  return { times, long };
}

async function opening(chapters, runs) {
  const texts = book(chapters);
  await rawDatabase(texts);
  const written = performance.now();
  const files = indexedDBWorkspace("book");
  for (const [path, text] of texts) await files.write(path, text);
  const writing = performance.now() - written;
  await files.close();
  const opened = async (use) => {
    const files = indexedDBWorkspace("book");
    const result = await use(files);
    await files.close();
    return result;
  };
  const indexed = () => opened((files) => files.search({ pattern: "nowhere" }));
  const times = await interleaved(runs, {
    raw: readRaw,
    read: () =>
      opened(async (files) => {
        const texts = new Map();
        for await (const batch of files.readAll()) for (const { path, text } of batch) texts.set(path, text);
        return texts;
      }),
    listed: () => opened((files) => files.list()),
    indexed,
  }, ({ raw, read, listed, indexed }) => {
    check(texts.every(([path, text]) => raw.get(path) === text && read.get(path) === text), "the texts that were read are not those that were written");
    check(listed.length === chapters, `${listed.length} of ${chapters} files are listed`);
    check(!indexed.matches.length, "a text was found that is in no file");
  });
  const long = await longTasks(indexed);
  return { times, writing, long };
}

Object.assign(window, { searching, opening });
