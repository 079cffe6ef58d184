// Measures the time from a key to the painted page in the demo, with and without pending changes in the document; and the
// time of the scripts that a key runs there, compared with a page that has only an editor.
//
//   cargo xtask bench keys
//
// Prints medians and ratios.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPage, root, serve, theBrowser } from '../browser/serving.mjs'
import { article } from './article.mjs'
import { close, factor, figures, median, ms, sized, table } from './page.mjs'

const BYTES = sized(100_000, 20_000)
const COUNTS = sized([0, 10, 870], [10])
const KEYS = sized(31, 4)
/** The article in which the script of a key is measured. */
const LARGE = sized(1_000_000, 20_000)
const LARGE_KEYS = sized(15, 4)
/** Milliseconds in which the page comes to rest, after it was opened and after a key. */
const REST = sized(3000, 0)
const REST_OF_KEY = sized(700, 0)

/** Opens the demo with an article of which `count` lines have a pending change, and the cursor in a paragraph in view. */
export async function openArticle(count, bytes = BYTES) {
  const { url } = await serve(join(root, 'www/dist'))
  const context = await (await theBrowser()).newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.addInitScript(() => localStorage.setItem('copydesk.mode', 'review'))
  await page.goto(url)
  await page.waitForSelector('html[data-ready]')
  const found = await page.evaluate(async ([html, count]) => {
    const { editor } = document.querySelector('.tiptap')
    editor.commands.setContent(html)
    const bound = editor.storage.copydesk.document
    // Words that occur often enough; each of them becomes one change.
    for (const word of ['the', 'of', 'tea', 'and', 'water', 'leaf', 'warm', 'garden', 'mountain', 'cup']) {
      const left = count - bound.hunks().length
      if (left <= 0) break
      const lines = bound.lines().filter(({ type, text }) => type === 'paragraph' && text.includes(` ${word} `))
      const edits = lines.slice(0, left).map(({ line, text }) => ({ start_line: line, end_line: line, content: text.replace(` ${word} `, ` certainly ${word} `), format: 'text' }))
      bound.apply({ operation: 'replace_lines', edits })
    }
    return bound.hunks().length
  }, [article(bytes), count])
  if (found !== count) throw new Error(`${found} of ${count} changes are pending`)
  // The whole page, the saving of the document included, is at rest.
  await page.waitForTimeout(REST)
  const paragraphs = page.locator('.tiptap > p')
  const place = paragraphs.nth(Math.min(40, (await paragraphs.count()) - 1))
  await place.scrollIntoViewIfNeeded()
  await place.evaluate((element) => {
    const { editor } = document.querySelector('.tiptap')
    editor.commands.focus(editor.view.posAtDOM(element, 0), { scrollIntoView: false })
  })
  // The editor takes the focus in the next frame.
  await page.waitForFunction(() => document.querySelector('.tiptap').editor.isFocused)
  return { page, context, found }
}

/** Returns the times from each key to the paint after it, except for the first three keys. */
export async function keyTimes(page, keys, pending) {
  await page.evaluate(() => {
    window.keyTimes = []
    addEventListener('keydown', () => {
      const start = performance.now()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.keyTimes.push(performance.now() - start)
        port2.postMessage(null)
      })
    }, true)
  })
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press('x')
    await page.waitForFunction((count) => window.keyTimes.length === count, key + 1)
    // What follows a key, such as saving, is over before the next one.
    await page.waitForTimeout(REST_OF_KEY)
  }
  if (!(await page.textContent('.tiptap')).includes('x'.repeat(keys))) throw new Error('the keys were not typed into the document')
  const hunks = await page.evaluate(() => document.querySelector('.tiptap').editor.storage.copydesk.document.hunks().length)
  if (hunks !== pending) throw new Error(`${hunks} of ${pending} changes are pending after the keys`)
  return page.evaluate(() => window.keyTimes.slice(3))
}

/** Opens the same article in a page with TipTap's editor and nothing else. */
async function openAlone(bytes) {
  const { url } = await serve(await buildPage(fileURLToPath(new URL('../browser/pages/bench', import.meta.url))))
  const context = await (await theBrowser()).newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.goto(url)
  await page.waitForFunction(() => window.ready)
  await page.evaluate((bytes) => alone(bytes), bytes)
  await page.waitForTimeout(REST)
  return { page, context }
}

/** Returns the milliseconds of script that each key runs until the page is at rest, except for the first three keys. */
async function scriptTimes(page, keys) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const script = async () => (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration').value * 1000
  const times = []
  for (let key = 0; key < keys; key += 1) {
    const before = await script()
    await page.keyboard.press('y')
    await page.waitForTimeout(REST_OF_KEY)
    times.push((await script()) - before)
  }
  if (!(await page.textContent('.tiptap')).includes('y'.repeat(keys))) throw new Error('the keys were not typed into the document')
  return times.slice(3)
}

if (process.argv[1] === import.meta.filename) {
  const rows = [['pending changes', 'a key, painted', 'against none']]
  let none
  for (const count of COUNTS) {
    const { page, context, found } = await openArticle(count)
    const time = median(await keyTimes(page, KEYS, count))
    none ??= time
    rows.push([String(found), ms(time), factor(time / none)])
    await context.close()
  }
  figures('pending', rows.at(-1)[2])
  table(`One key in an article of ${BYTES / 1000} kB in the demo`, rows)

  const scripts = {}
  for (const [name, open] of Object.entries({ demo: () => openArticle(0, LARGE), alone: () => openAlone(LARGE) })) {
    const { page, context } = await open()
    scripts[name] = median(await scriptTimes(page, LARGE_KEYS))
    await context.close()
  }
  const difference = ms(Math.max(0, scripts.demo - scripts.alone))
  figures('script', difference)
  table(`The script of one key in an article of ${LARGE / 1000} kB`, [
    ['', `until ${REST_OF_KEY} ms after it`],
    ['the demo', ms(scripts.demo)],
    ['an editor alone', ms(scripts.alone)],
    ['the difference  (goal 2 ms)', difference],
  ])
  await close()
}
