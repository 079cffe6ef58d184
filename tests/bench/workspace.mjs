// `cargo xtask bench workspace`: a workspace of 999 chapters of 3,000 characters in Chromium, beside plain JavaScript.
// Prints medians and ratios.

import { fileURLToPath } from 'node:url'
import { close, factor, measuring, medians, ms, sized, table } from './page.mjs'

const CHAPTERS = sized(999, 20)

const ask = await measuring(fileURLToPath(new URL('../browser/pages/workspace', import.meta.url)))
const longest = (long) => (long.length ? `${ms(Math.max(...long))} (${long.length} over 50)` : 'none over 50 ms')

{
  const result = await ask('searching', CHAPTERS, sized(21, 1))
  const of = medians(result)
  const row = (label, name) => [label, ms(of[name]), ms(of[`${name}Loop`]), factor(of[name] / of[`${name}Loop`])]
  table(`${CHAPTERS} chapters of 3,000 characters`, [
    ['', 'copydesk', 'a loop in the page', 'ratio'],
    ['a search of no file: to the worker and back', ms(of.nothing), '', ''],
    row('a literal that is not there, case-sensitive  (goal 3×)', 'exact'),
    row('the same in any case', 'folded'),
    row('a Chinese literal that is not there', 'chinese'),
    row('a literal with over 50 matches', 'frequent'),
    row('a regular expression without matches  (goal 3×)', 'regex'),
    row('one of word characters', 'regexWords'),
    row('verify_strict_timeline  (goal 2×)', 'timeline'),
    row('verify_strict_references  (goal 2×)', 'references'),
  ])
  console.log(`  longest task of the page meanwhile, also with a search that is stopped: ${longest(result.long)}  (goal: none over 50 ms)`)
}

{
  const result = await ask('opening', CHAPTERS, sized(11, 1))
  const of = medians(result)
  table('The same chapters in IndexedDB', [
    ['', 'time', 'of reading raw'],
    ['all texts from a database of one store', ms(of.raw), ''],
    ['open the workspace and read all texts  (goal 3×)', ms(of.read), factor(of.read / of.raw)],
    ['open it and list the files', ms(of.listed), factor(of.listed / of.raw)],
    ['open it and search: the worker starts, the wasm and all texts are loaded', ms(of.indexed), factor(of.indexed / of.raw)],
    ['write all chapters, one after the other', ms(result.writing), ''],
  ])
  console.log(`  longest task of the page while it is opened and searched: ${longest(result.long)}`)
}

await close()
