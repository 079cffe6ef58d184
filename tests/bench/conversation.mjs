// Measures a long conversation in <copydesk-assistant>: opening it, scrolling back to its beginning, and a run at its end.
//
//   cargo xtask bench conversation
//
// Prints for each the number of tasks over 50 ms, and the longest one: by the clock, and by the time of the processor, which
// other programs of the machine do not change.

import { listen, servePage, theBrowser } from '../browser/serving.mjs'
import { close, figures, ms, sized, table } from './page.mjs'
import { tracing } from './tracing.mjs'

const RUNS = sized(1000, 40)
const CALLS = 5
/** Calls of the run that is measured, and parts of its answer. */
const MORE_CALLS = sized(30, 3)
const PARTS = sized(400, 20)

const line = (delta, reason = null) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`

/** A model that makes a call in each turn, and then answers in many parts. */
async function respond(response, turn) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (turn < MORE_CALLS) {
    const name = 'replace_text'
    const given = JSON.stringify({ old: turn % 2 ? 'older' : 'old', new: turn % 2 ? 'old' : 'older' })
    const calls = [{ index: 0, id: `new-${turn}`, type: 'function', function: { name, arguments: given } }]
    return response.end(`${line({ tool_calls: calls })}${line({}, 'tool_calls')}data: [DONE]\n\n`)
  }
  for (let part = 0; part < PARTS; part += 1) {
    response.write(line({ content: part % 20 ? `Some **words** of part ${part}, ` : '\n\n- an entry ' }))
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
  response.end(`${line({ content: 'The end.' })}${line({}, 'stop')}data: [DONE]\n\n`)
}

let turn = 0
const server = await listen(async (request, response) => {
  response.setHeader('access-control-allow-origin', '*')
  if (request.method === 'OPTIONS') return response.writeHead(204, { 'access-control-allow-headers': 'content-type, authorization' }).end()
  for await (const _ of request);
  return respond(response, turn++)
})
const url = await servePage('ui')
const context = await (await theBrowser()).newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
const page = await context.newPage()
page.setDefaultTimeout(180_000)
await page.goto(`${url}?bare&model=${encodeURIComponent(`${server.url}v1`)}`)
await page.waitForFunction(() => window.ready)
const cdp = await context.newCDPSession(page)

/** The longest task that is none, in ms. */
const SHORT = 50
const rows = [['', 'by the clock', '', 'by the processor', ''], ['', 'tasks over 50 ms', 'longest', 'tasks over 50 ms', 'longest']]
let longest = 0
/** Measures what `act` does, until the page is at rest. */
async function measured(name, act) {
  const tasks = await tracing(cdp, async () => {
    await act()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 100))))
  })
  const of = (key) => {
    const times = tasks.map((task) => task[key])
    return [String(times.filter((time) => time > SHORT).length), ms(Math.max(...times))]
  }
  longest = Math.max(longest, ...tasks.map(({ processor }) => processor))
  rows.push([name, ...of('clock'), ...of('processor')])
}

// A stored conversation.
await page.evaluate(([runs, calls]) => {
  window.conversation = (() => {
    let seq = 0
    const messages = []
    const all = Array.from({ length: runs }, (_, run) => {
      const events = [{ type: 'agent_start', seq: seq++ }]
      const start = messages.length
      messages.push({ role: 'user', content: `Message ${run}` })
      for (let at = 0; at < calls; at += 1) {
        const toolId = `c-${run}-${at}`
        const toolInput = { old: `words ${at}`, new: `other words ${at}` }
        events.push(
          { type: 'turn_start', turnId: `t-${run}-${at}`, seq: seq++ },
          { type: 'tool_use', toolId, toolName: 'replace_text', toolInput, seq: seq++ },
          { type: 'tool_result', toolId, toolName: 'replace_text', content: { operation: 'replace_text', message: 'Replaced.' }, isError: false, seq: seq++ },
        )
        messages.push({ role: 'assistant', content: [{ type: 'toolCall', id: toolId, name: 'replace_text', arguments: toolInput }], stopReason: 'tool_calls' }, { role: 'toolResult', toolCallId: toolId, toolName: 'replace_text', content: 'Replaced.', isError: false })
      }
      const content = `Answer ${run} with **some** text:\n\n1. one\n2. two\n\nAnd a paragraph that is long enough for several lines of the assistant at its usual width.`
      events.push({ type: 'turn_start', turnId: `t-${run}-end`, seq: seq++ }, { type: 'content', content, seq: seq++ }, { type: 'complete', usage: {}, seq: seq++ })
      messages.push({ role: 'assistant', content: [{ type: 'text', text: content }], stopReason: 'stop' })
      return { prompt: `Message ${run}`, events, ended: true, start, titles: {} }
    })
    // What the model still knows of it: the rest was summarized long ago.
    const known = messages.slice(-10 * (2 + 2 * calls))
    return { id: 'long', title: 'Long', changed: 1, messages: known, runs: all.map(({ start, ...run }) => run), decisions: [] }
  })()
  const storage = { load: async () => [conversation], save: async () => {}, remove: async () => {} }
  start({ content: '<p>An old text.</p>', mode: 'auto', storage, modes: [] })
}, [RUNS, CALLS])
await page.waitForFunction((runs) => element.controller?.getSnapshot().runs.length === runs, RUNS)

await measured('opened again', async () => {
  await page.evaluate(async () => {
    await element.controller.newConversation()
    await element.controller.openConversation('long')
    await element.updateComplete
  })
  await page.waitForSelector('.run-end')
})

const drawn = () => page.evaluate(() => element.shadowRoot.querySelector('copydesk-conversation').shadowRoot.querySelectorAll('.run').length)
await measured('scrolled back to the first message', async () => {
  await page.evaluate(async () => {
    const log = element.shadowRoot.querySelector('copydesk-conversation').shadowRoot.querySelector('.log')
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()))
    const isFirst = () => log.querySelector('.run')?.textContent.includes('Message 0') && log.scrollTop === 0
    while (!isFirst()) {
      log.scrollTop -= 1500
      await frame()
    }
  })
})
const count = await drawn()
const text = () => page.evaluate(() => element.controller.getSnapshot().runs.at(-1).items.findLast(({ type }) => type === 'text')?.text ?? '')
await measured(`a run with ${MORE_CALLS} calls and an answer in ${PARTS} parts, seen from its end`, async () => {
  await page.evaluate(() => element.controller.send('Go on'))
  await page.waitForFunction((runs) => element.controller.getSnapshot().runs.length === runs + 1 && !element.controller.getSnapshot().isWorking, RUNS)
})
if (!(await text()).endsWith('The end.')) throw new Error('the run was not completed')
if (RUNS === 1000) figures('conversation', ms(longest))
table(`A conversation of ${RUNS} messages with ${RUNS * CALLS} tool rows (${count} of them drawn at the beginning)`, rows)
await context.close()
await server.close()
await close()
