// `cargo xtask bench editing`: compares copydesk with TipTap in one Chromium page. Prints medians and ratios.
//
//   node tests/bench/editing.mjs [size label, such as 1MB] [--smallest]

import { fileURLToPath } from 'node:url'
import { close, factor, figures, mb, measuring, medians, ms, share, sized, table } from './page.mjs'

const SIZES = [
  { label: '10 KB', bytes: 10_000, runs: sized(41, 1) },
  { label: '100 KB', bytes: 100_000, runs: 21 },
  { label: '1 MB', bytes: 1_000_000, runs: 9 },
  { label: '5 MB', bytes: 5_000_000, runs: 5 },
]

const [given] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = sized(given, '10KB')
const sizes = SIZES.filter(({ label }) => !chosen || label.replace(' ', '').toLowerCase() === chosen.replace(' ', '').toLowerCase())
if (!sizes.length) throw new Error(`there is no size ${chosen}; the sizes are ${SIZES.map(({ label }) => label).join(', ')}`)

const ask = await measuring(fileURLToPath(new URL('../browser/pages/bench', import.meta.url)))
/** Reports the figures of a row of `goals.mjs` for the sizes of 1 and 5 MB, if both were measured. */
const large = (name, all, show) => {
  const chosen = all.filter((_, index) => sizes[index].bytes >= 1_000_000)
  if (chosen.length === 2) figures(name, ...chosen.map(show))
}
const perSize = (rows) => [['', ...sizes.map(({ label }) => label)], ...rows]

{
  const results = []
  for (const { bytes, runs } of sizes) results.push(await ask('reading', bytes, runs))
  const all = results.map(medians)
  const row = (name, show) => [name, ...all.map(show)]
  large('reading', all, (of) => factor(of.generateJSON / (of.fromHTML + of.sections + of.lines)))
  large('walk', all, (of) => factor(of.walk / (of.fromHTML + of.sections)))
  const whole = (of) => of.fromHTML + of.sections + of.lines
  table('Reading HTML', perSize([
    ['lines', ...results.map(({ lines }) => String(lines))],
    ['sections', ...results.map(({ sections }) => String(sections))],
    row('TipTap generateJSON', (of) => ms(of.generateJSON)),
    row('  of the same without line breaks between blocks', (of) => ms(of.dense)),
    row('DOMParser + walk, sections with their HTML', (of) => ms(of.walk)),
    row('DOMParser + walk, titles only', (of) => ms(of.outlineWalk)),
    row('copydesk fromHTML', (of) => ms(of.fromHTML)),
    row('  outline()', (of) => ms(of.outline)),
    row('  sections(), with their HTML', (of) => ms(of.sections)),
    row('  lines(), all of them as objects', (of) => ms(of.lines)),
    row('  numbered(), all of them as text', (of) => ms(of.numbered)),
    row('  toJSON()', (of) => ms(of.toJSON)),
    row('  toHTML()', (of) => ms(of.toHTML)),
    row('a  faster than generateJSON: fromHTML + sections + lines  (goal 5× at 1 MB, 15× at 5 MB)', (of) => factor(of.generateJSON / whole(of))),
    row('   without line breaks between blocks', (of) => factor(of.dense / whole(of))),
    row('   the same with outline() for sections()', (of) => factor(of.generateJSON / (of.fromHTML + of.outline + of.lines))),
    row('   fromHTML + outline() alone', (of) => factor(of.generateJSON / (of.fromHTML + of.outline))),
    row('b  faster than DOMParser + walk: fromHTML + sections  (goal 1×)', (of) => factor(of.walk / (of.fromHTML + of.sections))),
    row('   titles only: fromHTML + outline()', (of) => factor(of.outlineWalk / (of.fromHTML + of.outline))),
    row('   with lines, which the walk has not', (of) => factor(of.walk / whole(of))),
  ]))
}

{
  const results = []
  for (const { bytes, runs } of sizes) results.push(await ask('typing', bytes, 3 * runs))
  const all = results.map(medians)
  const row = (name, show) => [name, ...all.map(show)]
  const [inKey, inAll] = [(of) => share(of.follow / of.dispatch), (of) => share(of.row / of.dispatch)]
  large('typing', all, inKey)
  if (sizes.at(-1).bytes === 5_000_000) figures('reads after a key', ms(all.at(-1).lines), ms(all.at(-1).sections))
  table('One typed character', perSize([
    ['top-level blocks', ...results.map(({ blocks }) => String(blocks))],
    row('ProseMirror dispatches it', (of) => ms(of.dispatch)),
    row('the key waits for copydesk', (of) => ms(of.follow)),
    row('the wasm is told when somebody reads: sync', (of) => ms(of.sync)),
    row('  outline()', (of) => ms(of.outline)),
    row('  numbered() of 100 lines', (of) => ms(of.window)),
    row('  lines(), all of them as objects', (of) => ms(of.lines)),
    row('  sections(), with their HTML', (of) => ms(of.sections)),
    row('  of 20 characters in a row, until it has all of them: each', (of) => ms(of.row)),
    row('c  the key waits / dispatch  (goal 5 %)', inKey),
    row('   of 20 in a row, all that copydesk does for each / dispatch', inAll),
    row('   read after each key: the key waits + sync / dispatch', (of) => share((of.follow + of.sync) / of.dispatch)),
    row('   the same + outline() + numbered() of 100 lines', (of) => share((of.follow + of.sync + of.outline + of.window) / of.dispatch)),
    row('   the same + outline() + all lines() as objects', (of) => share((of.follow + of.sync + of.outline + of.lines) / of.dispatch)),
  ]))
}

{
  const results = []
  for (const { bytes, runs } of sizes) results.push(await ask('waiting', bytes, 3 * runs))
  const all = results.map(medians)
  const row = (name, show) => [name, ...all.map(show)]
  table('Typing while 50 hunks wait', perSize([
    ['hunks', ...results.map(({ count }) => String(count))],
    row('copydesk follows, with a read, while nothing waits', (of) => ms(of.free)),
    row('  while they wait, in another block', (of) => ms(of.elsewhere)),
    row('  while they wait, in the block of one', (of) => ms(of.within)),
    row('hunks(), all of them', (of) => ms(of.hunks)),
    row('acceptAll()', (of) => ms(of.accept)),
  ]))
}

{
  const rows = []
  for (const { bytes } of sizes) rows.push([await ask('memoryFor', bytes, 'html'), await ask('memoryFor', bytes, 'json')])
  const last = rows.at(-1)
  if (sizes.at(-1).bytes === 5_000_000) figures('memory', ...last.map(({ loaded, json }) => factor(loaded / json)))
  table('Memory of the wasm', perSize([
    ["the document's JSON", ...rows.map(([{ json }]) => mb(json))],
    ['growth for fromHTML', ...rows.map(([{ loaded }]) => mb(loaded))],
    ['growth for fromJSON', ...rows.map(([, { loaded }]) => mb(loaded))],
    ['growth for fromHTML, then lines() and sections()', ...rows.map(([{ read }]) => mb(read))],
    ['d  fromHTML / JSON  (goal 4× at 5 MB)', ...rows.map(([{ loaded, json }]) => factor(loaded / json))],
    ['   fromJSON / JSON', ...rows.map(([, { loaded, json }]) => factor(loaded / json))],
  ]))
}

{
  const all = []
  for (const { bytes, runs } of sizes) all.push(medians(await ask('planning', bytes, runs)))
  const row = (name, show) => [name, ...all.map(show)]
  large('section', all, (of) => factor(of.setContent / of.apply))
  table('One section replaced', perSize([
    row('ProseMirror dispatches one typed character', (of) => ms(of.dispatch)),
    row('copydesk apply', (of) => ms(of.apply)),
    row('  of that in the wasm: finding the changes, and the result', (of) => ms(of.plan)),
    row('setContent', (of) => ms(of.setContent)),
    row('  of that in the editor: the transaction', (of) => ms(of.made)),
    row('e  planning / transaction  (goal 10 % at 5 MB)', (of) => share(of.plan / of.made)),
    row('f  faster than setContent: apply  (goal 15× at 1 MB, 50× at 5 MB)', (of) => factor(of.setContent / of.apply)),
  ]))
}

{
  const results = []
  for (const { bytes, runs } of sizes) results.push(await ask('diffing', bytes, runs))
  const all = results.map(medians)
  const row = (name, show) => [name, ...all.map(show)]
  large('whole text', all, (of) => factor(of.jsdiff / of.apply, 2))
  table('A whole document given back as text, one line in a hundred changed', perSize([
    ['paragraphs changed', ...results.map(({ changed }) => String(changed))],
    ['hunks found', ...results.map(({ hunks }) => String(hunks))],
    row("jsdiff's diffLines of the texts", (of) => ms(of.jsdiff)),
    row('copydesk apply: found, planned and made', (of) => ms(of.apply)),
    row('g  as fast as jsdiff  (goal 1× at 1 MB)', (of) => factor(of.jsdiff / of.apply, 2)),
  ]))
}

await close()
