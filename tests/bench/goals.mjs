// The goals of the benchmarks: the rows of the first table of docs/PERFORMANCE.md.

const LOOPS = "the faster of the AI SDK's and pi's loops: how many times as fast"

/** The goals, by the name under which a benchmark reports their figures. `comparedWith` also says what a figure is. */
export const GOALS = {
  reading: { bench: 'editing', work: 'HTML to document, sections and lines, 1 / 5 MB', comparedWith: "TipTap's `generateJSON`: how many times as fast", goal: '5 × / 15 ×' },
  walk: { bench: 'editing', work: 'HTML to document and sections, 1 / 5 MB', comparedWith: '`DOMParser` and a walk in JavaScript: how many times as fast', goal: '≥ 1 ×' },
  typing: { bench: 'editing', work: 'what a typed character waits for, 1 / 5 MB; the tables have the work in all', comparedWith: "ProseMirror's dispatch of it: the share of its time", goal: '≤ 5 %' },
  pending: { bench: 'keys', work: 'a key with 870 pending changes in 100 kB, painted', comparedWith: 'the same without pending changes: the ratio of times', goal: '≤ 1.1 ×' },
  script: { bench: 'keys', work: 'scripts of a key in the demo at 1 MB', comparedWith: 'a page with an editor alone: the difference', goal: '≤ 2 ms' },
  memory: { bench: 'editing', work: 'memory of 5 MB, from HTML / from JSON', comparedWith: "the document's JSON: the ratio of sizes", goal: '≤ 2.5 ×' },
  ready: { bench: 'ready', work: 'demo editable / assistant ready at 9 Mbit/s, 60 ms', comparedWith: 'nothing: the time from the request of the page', goal: '0.5 / 0.9 s' },
  'reads after a key': { bench: 'editing', work: '`lines()` / `sections()` after one key, 5 MB', comparedWith: 'nothing: the time', goal: 'both ≤ 1 ms' },
  section: { bench: 'editing', work: 'one section replaced, 1 / 5 MB', comparedWith: "TipTap's `setContent`: how many times as fast", goal: '60 × / 200 ×' },
  'whole text': { bench: 'editing', work: 'whole document given back as text, 1 % changed, 1 / 5 MB', comparedWith: "jsdiff's `diffLines` alone: how many times as fast", goal: '≥ 0.5 ×' },
  conversation: {
    bench: 'conversation',
    work: '1,000 messages with 5,000 tool rows opened, scrolled through, and a run at their end: the longest task of the page',
    comparedWith: 'nothing: the time of the processor',
    goal: 'none over 50 ms',
  },
  deltas: { bench: 'loop', work: '10,000 deltas, 1 / 16 / 256 in a chunk', comparedWith: LOOPS, goal: '≥ 3 ×' },
  'whole run': { bench: 'loop', work: 'a whole run with a call, 1 / 16 in a chunk', comparedWith: LOOPS, goal: '≥ 5 ×' },
  load: {
    bench: 'load',
    work: '1,000 runs at once on two instances with slow readers: the route / as a UI message stream / the same with a log',
    comparedWith: "the AI SDK's `toUIMessageStreamResponse`: how many times as many deltas a second",
    goal: '17 to 21 ×',
  },
  markdown: {
    bench: 'markdown',
    work: 'Markdown opened / saved unchanged / saved with an edit, the slowest of five kinds of files',
    comparedWith: '`mdast-util-from-markdown`, which only parses: the ratio of times',
    goal: '≤ 2 ×',
  },
  'markdown in a worker': {
    bench: 'markdown',
    work: 'Markdown of 1,000,000 characters opened and saved with an edit: the longest task of the page, the slowest of three kinds',
    comparedWith: 'nothing: the time',
    goal: 'none over 50 ms',
  },
}
