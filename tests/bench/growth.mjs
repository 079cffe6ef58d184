// Measures how the time of Markdown, which JavaScript parses, grows with its input; tests/bench/growth measures the core.
//
//   cargo xtask bench growth markdown
//
// Prints medians; asserts nothing.

import { median, ms, table } from './page.mjs'
import { loadMarkdown, markdownToHTML } from '../../pkg/markdown.js'

const SIZES = [1, 2, 4, 8]
/** Ratio per doubling above which a family is marked. */
const MOST = 2.3
/** Milliseconds above which a family is not measured at larger sizes. */
const PATIENCE = 6000

/** Family names, sizes in characters, and the text that is repeated. */
const FAMILIES = [
  ['paragraphs', 40_000, 'Some **bold** words and [a link](https://a.example/).\n\n'],
  ['one paragraph', 40_000, 'some plain words '],
  ['one list', 20_000, '- an item of a list\n'],
  ['a table', 20_000, '| a | b |\n', '| a | b |\n|---|---|\n'],
  ['emphasis that is half closed', 2_000, '_a_ __b '],
  ['emphasis that is never closed', 2_000, '*a **b '],
  ['brackets that are never closed', 2_000, '[a '],
  ['ends of links', 2_000, 'a](b '],
  ['backticks', 2_000, 'a ` b `` '],
  ['addresses', 10_000, 'https://a.example/b '],
  ['tags that are never closed', 10_000, '<a b="c '],
  ['quotes in quotes', 250, '>'],
  ['lists in lists', 2_000, (at) => `${'  '.repeat(at)}- a\n`],
]

const text = (size, unit, head = '') => {
  let made = head
  for (let at = 0; made.length < size; at += 1) made += typeof unit === 'string' ? unit : unit(at)
  return made
}

function measured(markdown) {
  const times = []
  const begun = performance.now()
  while (times.length < 21 && (times.length < 3 || performance.now() - begun < 250)) {
    const from = performance.now()
    try {
      if (markdownToHTML(markdown) === undefined) return 'refused'
    } catch (error) {
      return error.code ?? error.name
    }
    times.push(performance.now() - from)
    if (times.at(-1) > PATIENCE / 4) break
  }
  return median(times)
}

await loadMarkdown()
const rows = [['', ...SIZES.map(String), '×2', '×4', '×8', '']]
for (const [name, unit, ...pieces] of FAMILIES) {
  const times = []
  for (const size of SIZES) times.push(times.at(-1) > PATIENCE ? '…' : measured(text(unit * size, ...pieces)))
  const ratios = times.slice(1).map((time, at) => time / times[at])
  const known = ratios.filter((ratio) => !Number.isNaN(ratio)).slice(-2)
  const mean = known.reduce((product, ratio) => product * ratio, 1) ** (1 / Math.max(known.length, 1))
  const shown = (time) => (typeof time === 'number' ? ms(time) : time)
  const factors = ratios.map((ratio) => (Number.isNaN(ratio) ? '' : ratio.toFixed(1)))
  rows.push([`${name} (${unit})`, ...times.map(shown), ...factors, mean > MOST || times.includes('…') ? '◀' : ''])
}
table('Growth: Markdown', rows)
process.exit()
