// `cargo xtask bench worker`: the main thread of a page during a run, with the agent in the page and in a worker.
// Prints medians and ratios.

import { fileURLToPath } from 'node:url'
import { buildPage, closeAll, listen, serve, theBrowser } from '../browser/serving.mjs'
import { factor, median, ms, sized, table } from './page.mjs'
import { answer, chunked, toolCall } from './stream.mjs'

const RUNS = sized(5, 1)
const DELTAS = sized(20_000, 500)
const content = `<p>${'tea and water '.repeat(7)}</p>`.repeat(Math.ceil((DELTAS * 5) / 105))
/** What the model sends, and what the page must have received. The call is cut off: only its arguments are measured. */
const ANSWERS = {
  text: () => {
    const { events, text } = answer(DELTAS)
    return { events, expected: { text, args: '' } }
  },
  arguments: () => {
    const given = { operation: 'append', title: 'Long', content }
    return { events: toolCall('update_section', given).events.slice(0, -3), expected: { text: '', args: JSON.stringify(given) } }
  },
}

const page = await serve(await buildPage(fileURLToPath(new URL('../browser/pages/worker-agent', import.meta.url))))

/** Runs a prompt with an agent of one kind. Returns the times of the page's main thread. */
async function measure(kind, name) {
  const { events, expected } = ANSWERS[name]()
  const server = await listen(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method === 'OPTIONS') return response.writeHead(204, { 'access-control-allow-headers': 'authorization,content-type' }).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // As a fast model's connection delivers them: a few events per chunk, without a pause.
    for (const chunk of chunked(events, 4)) if (!response.write(chunk)) await new Promise((drained) => response.once('drain', drained))
    response.end()
  })
  const context = await (await theBrowser()).newContext()
  const tab = await context.newPage()
  tab.setDefaultTimeout(0)
  await tab.goto(page.url)
  await tab.waitForFunction(() => window.readyForWorkers)
  const cdp = await context.newCDPSession(tab)
  await cdp.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  }
  await tab.evaluate(async (url) => {
    edit('<h1>Tea</h1><p>A leaf.</p>')
    const model = { api: 'openai-completions', modelId: 'm', contextWindow: 1_000_000 }
    const options = { document: editor, llmConfig: { model, streamOptions: { baseUrl: url, apiKey: 'k' } }, maxTurns: 1, maxRetries: 0 }
    window.start = (kind) => (kind === 'worker' ? createWorkerAgent(newWorker(), options) : new Agent(options))
    window.long = []
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
  }, `${server.url}v1`)
  // The agent is ready before the measurement begins.
  await tab.evaluate((kind) => void (window.agent = start(kind)), kind)
  if (kind === 'worker') await tab.waitForFunction(async () => (await navigator.locks.query()).held.length)
  await tab.evaluate(() => {
    const answer = document.body.appendChild(document.createElement('pre'))
    window.seen = 0
    window.args = ''
    agent.subscribe((event) => {
      seen++
      if (event.type === 'content') answer.append(event.content)
      if (event.type === 'tool_args') args = (event.restart ? '' : args) + event.delta
    })
    window.long.length = 0
  })
  const before = await busy()
  const { time, seen, long, received } = await tab.evaluate(async () => {
    const began = performance.now()
    await agent.prompt('Write')
    const time = performance.now() - began
    // Entries of the last task arrive after it.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))
    return { time, seen, long, received: { text: document.querySelector('pre').textContent, args } }
  })
  const after = await busy()
  // The deltas of arguments leave out what closes them.
  const isWhole = received.text === expected.text && expected.args.startsWith(received.args) && expected.args.length - received.args.length <= 2
  if (!isWhole) throw new Error(`${kind}: ${received.text.length} characters of text and ${received.args.length} of arguments are not the model's`)
  await context.close()
  await server.close()
  return { time, seen, busy: after - before, longTasks: long.length, longest: Math.max(0, ...long) }
}

for (const name of Object.keys(ANSWERS)) {
  const kinds = {}
  for (const kind of ['page', 'worker']) {
    const runs = []
    for (let run = 0; run < RUNS; run++) runs.push(await measure(kind, name))
    kinds[kind] = Object.fromEntries(Object.keys(runs[0]).map((key) => [key, median(runs.map((run) => run[key]))]))
    kinds[kind].worst = Math.max(...runs.map(({ longest }) => longest))
  }
  const { page, worker } = kinds
  const row = (name, key, show) => [name, show(page[key]), show(worker[key]), worker[key] && page[key] ? factor(page[key] / worker[key]) : '']
  const orNone = (value) => (value ? ms(value) : 'none over 50 ms')
  table(`${DELTAS} deltas of ${name}`, [
    ['', 'in the page', 'in a worker', 'ratio'],
    row('events', 'seen', String),
    row('the run', 'time', ms),
    row('main thread busy', 'busy', ms),
    row('tasks over 50 ms', 'longTasks', String),
    row('the longest task', 'longest', orNone),
    row('  of all runs', 'worst', orNone),
  ])
}
await closeAll()
