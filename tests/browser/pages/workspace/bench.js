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

/** Runs all calls in turn, `runs` rounds. */
async function interleaved(runs, calls) {
  const times = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const [name, call] of Object.entries(calls)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const start = performance.now();
      await call();
      times[name].push(performance.now() - start);
    }
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
  });
  const long = await longTasks(async () => {
    for (const query of [{ pattern: "nowhere" }, { pattern: "tea" }, { pattern: "\\w+ing", regex: true }, { pattern: "(x+)+$", regex: true }]) await files.search(query);
    await files.check("timeline");
    await files.check("references");
  });
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
    await use(files);
    await files.close();
  };
  const indexed = () => opened((files) => files.search({ pattern: "nowhere" }));
  const times = await interleaved(runs, {
    raw: readRaw,
    read: () =>
      opened(async (files) => {
        const texts = new Map();
        for await (const batch of files.readAll()) for (const { path, text } of batch) texts.set(path, text);
      }),
    listed: () => opened((files) => files.list()),
    indexed,
  });
  const long = await longTasks(indexed);
  return { times, writing, long };
}

Object.assign(window, { searching, opening });
