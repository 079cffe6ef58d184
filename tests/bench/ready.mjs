// Measures the time from a first visit of the demo, over a slow line, until its editor and its assistant are there.
//
//   cargo xtask bench ready
//
// Prints medians.

import { theBrowser } from '../browser/serving.mjs'
import { serveCompressed, slowLine } from '../browser/slow-line.mjs'
import { close, figures, median, ms, sized, table } from './page.mjs'

const VISITS = sized(7, 1)

const { url, close: stop } = await serveCompressed()
const times = []
for (let visit = 0; visit < VISITS; visit += 1) {
  const context = await (await theBrowser()).newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  await slowLine(page)
  await page.addInitScript(() => {
    window.times = {}
    const painted = (name) => {
      if (window.times[name]) return
      window.times[name] = Infinity
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => (window.times[name] = performance.now())
        port2.postMessage(null)
      })
    }
    new MutationObserver(() => {
      if (document.querySelector('.tiptap[contenteditable=true]')) painted('editor')
      if (document.documentElement.dataset.ready) painted('assistant')
    }).observe(document, { subtree: true, childList: true, attributes: true })
    // Throws until the editor is bound.
    const bound = () => {
      try {
        if (document.querySelector('.tiptap').editor.storage.copydesk.document) return painted('review')
      } catch {}
      setTimeout(bound, 5)
    }
    bound()
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.times.assistant < Infinity)
  times.push(await page.evaluate(() => window.times))
  const typed = await page.evaluate(() => {
    const { editor } = document.querySelector('.tiptap')
    editor.commands.insertContentAt(1, 'typed ')
    return editor.isEditable && document.querySelector('.tiptap').textContent.includes('typed ')
  })
  if (!typed) throw new Error('the document of the demo cannot be edited')
  await context.close()
}
stop()
const [editor, review, assistant] = ['editor', 'review', 'assistant'].map((name) => median(times.map((of) => of[name])))
figures('ready', ...[editor, assistant].map((time) => `${(time / 1000).toFixed(2)} s`))
table(`A first visit of the demo at 9 Mbit/s and 60 ms (median of ${VISITS})`, [
  ['', 'painted after'],
  ['ready: the document can be edited (goal 1 s)', ms(editor)],
  ['pending changes are shown and can be decided', ms(review)],
  ['the assistant can work', ms(assistant)],
])
await close()
