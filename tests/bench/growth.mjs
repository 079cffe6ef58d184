// Measures how the time of Markdown, which JavaScript parses, grows with its input; tests/bench/growth measures the core.
//
//   cargo xtask bench growth markdown
//
// Prints medians.

import { median, ms, sized, table } from './page.mjs'
import { loadMarkdown } from '../../pkg/index.js'
import { markdownToHTML } from '../../pkg/markdown/markdown.js'

const SIZES = sized([1, 2, 4, 8], [1])
const SHARE = sized(1, 0.05)
/** Ratio per doubling above which a family is marked. */
const MOST = 2.3
/** Milliseconds above which a family is not measured at larger sizes. */
const PATIENCE = 6000

/** Family names, sizes in characters, the text that is repeated, the HTML that each one becomes, and the beginning. */
const FAMILIES = [
  ['paragraphs', 40_000, 'Some **bold** words and [a link](https://a.example/).\n\n', '<strong>bold</strong>'],
  ['one paragraph', 40_000, 'some plain words ', 'some plain words'],
  ['one list', 20_000, '- an item of a list\n', '<li>'],
  ['a table', 20_000, '| a | b |\n', '<td>', '| a | b |\n|---|---|\n'],
  ['emphasis that is half closed', 2_000, '_a_ __b ', '<em>a</em> __b'],
  ['emphasis that is never closed', 2_000, '*a **b ', '*a **b'],
  ['emphasis of two signs', 8_000, '*a_ ', '*a_'],
  ['words in bold', 8_000, '**a** b ', '<strong>a</strong>'],
  ['definitions', 20_000, (at) => `[d${at}]: /u\n\nsee [d${at}]\n\n`, '<a '],
  ['rows of a wide table that are short', 8_000, '| a |\n', '<tr>', `|${'a|'.repeat(600)}\n|${'-|'.repeat(600)}\n`],
  ['brackets that are never closed', 2_000, '[a ', '[a'],
  ['ends of links', 2_000, 'a](b ', 'a](b'],
  ['backticks', 2_000, 'a ` b `` ', 'a'],
  ['addresses', 10_000, 'https://a.example/b ', 'https://a.example/b'],
  ['tags that are never closed', 10_000, '<a b="c ', 'b='],
  ['quotes in quotes', 250, '>', '<blockquote>'],
  ['lists in lists', 2_000, (at) => `${'  '.repeat(at)}- a\n`, '<li>'],
]

/** Returns the text of at least `size` characters, and the number of its units. */
function input(size, unit, head = '') {
  let markdown = head
  let units = 0
  for (; markdown.length < size; units += 1) markdown += typeof unit === 'string' ? unit : unit(units)
  return { markdown, units }
}

/** Throws unless the HTML has the part of each unit. */
function check(name, html, part, units) {
  const found = html.split(part).length - 1
  if (found < units) throw new Error(`${name}: ${found} of ${units} ${part} are in the HTML: ${html.slice(0, 200)}`)
}

function measured(name, part, { markdown, units }) {
  let html
  const times = []
  const begun = performance.now()
  while (times.length < 21 && (times.length < 3 || performance.now() - begun < 250)) {
    const from = performance.now()
    try {
      html = markdownToHTML(markdown)
    } catch (error) {
      // Too large a text is refused.
      if (SHARE < 1) throw error
      return error.code ?? error.message.split('\n')[0]
    }
    times.push(performance.now() - from)
    check(name, html, part, units)
    if (times.at(-1) > PATIENCE / 4) break
  }
  return median(times)
}

await loadMarkdown()
const rows = [['', ...SIZES.map(String), ...SIZES.slice(1).map((size) => `×${size}`), '']]
for (const [name, unit, piece, part, head] of FAMILIES) {
  const times = []
  for (const size of SIZES) times.push(times.at(-1) > PATIENCE ? '…' : measured(name, part, input(unit * size * SHARE, piece, head)))
  const ratios = times.slice(1).map((time, at) => time / times[at])
  const known = ratios.filter((ratio) => !Number.isNaN(ratio)).slice(-2)
  const mean = known.reduce((product, ratio) => product * ratio, 1) ** (1 / Math.max(known.length, 1))
  const shown = (time) => (typeof time === 'number' ? ms(time) : time)
  const factors = ratios.map((ratio) => (Number.isNaN(ratio) ? '' : ratio.toFixed(1)))
  rows.push([`${name} (${unit})`, ...times.map(shown), ...factors, mean > MOST || times.includes('…') ? '◀' : ''])
}
table('Growth: Markdown', rows)
process.exit()
