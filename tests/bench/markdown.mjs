// `cargo xtask bench markdown`: opening and saving Markdown files beside mdast-util-from-markdown, which only parses them.
// Each file is opened and saved in one run with the parser alone; prints the medians of the ratios. Then the longest task of a
// page in Chromium while a worker opens and saves a long one.

import { readMarkdown, writeMarkdown } from 'copydesk/markdown'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { randomFrom } from '../oracle/random.mjs'
import { INSTALLED, markdownFiles, textOf } from '../packaging/markdown/corpus.mjs'
import { randomNotes } from '../packaging/markdown/notes.mjs'
import { plain } from '../packaging/markdown/schema.mjs'
import { fileURLToPath } from 'node:url'
import { close, factor, figures, measuring, median, ms, sized, table } from './page.mjs'

const FILES = sized(60, 2)
const ROUNDS = sized(5, 1)
const LENGTH = sized(100_000, 4_000)
/** The length of the files that a worker opens: a long book. */
const LONGEST = sized(1_000_000, 4_000)
const WORKER_ROUNDS = sized(3, 1)
const WORD = 'zebra'

const random = randomFrom(1)
const paths = markdownFiles(INSTALLED)
const repeated = (unit, length = LENGTH) => unit.repeat(Math.ceil(length / unit.length))
const texts = () => {
  const found = []
  while (found.length < FILES) {
    const source = textOf(random.pick(paths))
    if (source?.length > 2_000) found.push(source)
  }
  return found
}

/** What long files repeat: name, source. */
const UNITS = [
  ['prose', 'The leaves are *dried* and then rolled, as [the book](https://e.example/) says. It takes **two** hours.\n\n'],
  ['a novel, a paragraph a line', '　　雨下了一夜，她没有睡。“你来了。”他说，没有抬头。\n'],
  ['a list', '- an item of a list\n'],
]

/** Kinds of files: name, sources. */
const KINDS = [
  [`${FILES} files of packages`, texts()],
  ['notes of other programs', Array.from({ length: FILES }, () => Array.from({ length: 10 }, () => randomNotes(random)).join('\n'))],
  ...UNITS.map(([name, unit]) => [name, [repeated(unit)]]),
]

/** Puts a word into the middle text of a document. */
function edited(json) {
  const copy = structuredClone(json)
  const found = []
  const visit = (node) => (node.type === 'text' ? found.push(node) : node.content?.forEach(visit))
  visit(copy)
  found[found.length >> 1].text += WORD
  return copy
}

function timed(run) {
  const from = performance.now()
  const result = run()
  return [performance.now() - from, result]
}

/** The times of one file: the parser's, and those of opening it and of saving it without and with an edit. */
function measured(source) {
  const [parsed] = timed(() => fromMarkdown(source))
  const [opened, file] = timed(() => readMarkdown(source, plain))
  const [same, unchanged] = timed(() => writeMarkdown(file, file.json))
  if (unchanged.text !== source) throw new Error(`not saved as it was: ${source.slice(0, 200)}`)
  const json = edited(file.json)
  const [saved, { text }] = timed(() => writeMarkdown(file, json))
  if (!text.includes(WORD)) throw new Error(`the edit was not saved: ${source.slice(0, 200)}`)
  return { parsed, opened, same, saved }
}

const rows = [['', 'characters', 'parser alone', 'open', 'save unchanged', 'save with an edit', 'ratios']]
const WORK = ['opened', 'same', 'saved']
const slowest = WORK.map(() => 0)
for (const [name, sources] of KINDS) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const times = sources.map(measured)
    const sum = (key) => times.reduce((all, one) => all + one[key], 0)
    return Object.fromEntries(['parsed', ...WORK].map((key) => [key, sum(key)]))
  })
  const of = (key) => median(rounds.map((round) => round[key]))
  const ratios = WORK.map((key) => median(rounds.map((round) => round[key] / round.parsed)))
  ratios.forEach((ratio, at) => (slowest[at] = Math.max(slowest[at], ratio)))
  const characters = sources.reduce((all, { length }) => all + length, 0)
  const cells = ['parsed', ...WORK].map((key) => ms(of(key)))
  rows.push([name, `${characters}`, ...cells, ratios.map((ratio) => factor(ratio)).join(' ')])
}
table('Opening and saving beside the parser  (goal 2×)', rows)
figures('markdown', ...slowest.map((ratio) => factor(ratio)))

{
  const ask = await measuring(fileURLToPath(new URL('../browser/pages/export', import.meta.url)))
  const rows = [['', 'characters', 'open', 'save with an edit', 'longest task of the page']]
  const task = (length) => (length > 0 ? ms(length) : 'none over 50 ms')
  let longest = 0
  for (const [name, unit] of UNITS) {
    const source = repeated(unit, LONGEST)
    const runs = []
    while (runs.length < WORKER_ROUNDS) runs.push(await ask('tasksOf', source, WORD))
    if (!runs.every(({ hasTyped }) => hasTyped)) throw new Error(`the edit was not saved: ${name}`)
    const of = (key) => median(runs.map((run) => run[key]))
    longest = Math.max(longest, of('longest'))
    rows.push([name, `${source.length}`, ms(of('opened')), ms(of('saved')), task(of('longest'))])
  }
  table('Opening and saving in a worker  (goal: no task over 50 ms)', rows)
  figures('markdown in a worker', task(longest))
}

await close()
