// Measures a key in a shared document, with and without suggestions in it: from a local key to the painted page, and from a
// remote one to the document in the wasm.
//
//   cargo xtask bench suggestions
//
// Prints medians and ratios. The pages take turns, so that interference of the machine hits all of them alike.

import { servePage, theBrowser } from '../browser/serving.mjs'
import { article } from './article.mjs'
import { close, factor, median, ms, sized, table } from './page.mjs'

const BYTES = sized(1_000_000, 20_000)
const COUNTS = sized([0, 2000], [0, 10])
const ROUNDS = sized(31, 2)
/** Rounds that are not measured. */
const WARM = sized(3, 0)

const url = await servePage('suggestions')

async function open(count) {
  const context = await (await theBrowser()).newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(600_000)
  await page.goto(url)
  await page.waitForFunction(() => window.ready)
  const found = await page.evaluate(([html, count]) => benchmark.prepare(html, count), [article(BYTES), count])
  if (found !== count) throw new Error(`${found} of ${count} suggestions are pending`)
  await page.waitForFunction(() => document.querySelector('.tiptap').editor.isFocused)
  return { page, context, own: [], others: [] }
}

const pages = []
for (const count of COUNTS) pages.push(await open(count))
for (let round = 0; round < ROUNDS + WARM; round += 1)
  for (const { page, own, others } of pages) {
    await page.evaluate(() => benchmark.listen())
    await page.keyboard.press('x')
    await page.waitForFunction(() => benchmark.painted !== undefined)
    const [key, other] = await page.evaluate(async () => [benchmark.painted, await benchmark.remote()])
    if (round < WARM) continue
    own.push(key)
    others.push(other)
  }

const rows = [['suggestions', 'a key, painted', 'against none', 'of another participant', 'against none']]
const [none] = pages
for (const [index, { page, context, own, others }] of pages.entries()) {
  const { pending, text } = await page.evaluate(() => benchmark.seen())
  if (pending !== COUNTS[index]) throw new Error(`${pending} of ${COUNTS[index]} suggestions are pending after the keys`)
  if (!text.includes('x'.repeat(ROUNDS + WARM)) || !text.includes('y'.repeat(ROUNDS + WARM))) throw new Error('the keys are not in the document')
  const ratio = (own, others) => factor(median(own) / median(others), 2)
  rows.push([String(pending), ms(median(own)), ratio(own, none.own), ms(median(others)), ratio(others, none.others)])
  await context.close()
}
table(`One key in a shared document of ${BYTES / 1000} kB`, rows)
await close()
