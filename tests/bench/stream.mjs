// A model's stream: chat completion chunks as OpenAI's API writes them, one per token; deterministic per seed.

import { randomFrom } from '../oracle/random.mjs'

const TOKENS = ' the| of| tea| and| water|,| steeped| leaves| in| a| cup|.| It| is| said| that| mountain|s| harvest|ed| before| spring|茶|叶|的| history| —| "slow|ly|"|\n\n| gar|den| por|celain| trade|d| by| sea'.split('|')
const HEAD = { id: 'chatcmpl-BkqW1VSAyR4HTSk2vb3RDM5nXvw7s', object: 'chat.completion.chunk', created: 1750000000, model: 'gpt-4o-2024-08-06', service_tier: 'default', system_fingerprint: 'fp_07871e2ad8' }
const encoder = new TextEncoder()

const event = (data) => encoder.encode(`data: ${JSON.stringify(data)}\n\n`)
const chunk = (delta, finish_reason = null) => event({ ...HEAD, choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null })
const end = (finish) => [
  chunk({}, finish),
  event({ ...HEAD, choices: [], usage: { prompt_tokens: 1200, completion_tokens: 800, total_tokens: 2000, prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } } }),
  encoder.encode('data: [DONE]\n\n'),
]

/** Returns an answer of `count` deltas: `{text, events}`, each event as bytes. */
export function answer(deltas, seed = 1) {
  const random = randomFrom(seed)
  const tokens = Array.from({ length: deltas }, () => random.pick(TOKENS))
  return { text: tokens.join(''), events: [chunk({ role: 'assistant', content: '', refusal: null }), ...tokens.map((content) => chunk({ content })), ...end('stop')] }
}

/** Returns a tool call with arguments in chunks of a few characters: `{deltas, events}`. */
export function toolCall(name, given) {
  const pieces = JSON.stringify(given).match(/[\s\S]{1,5}/g)
  const call = (more) => ({ tool_calls: [{ index: 0, ...more }] })
  const first = call({ id: 'call_M2oWcNDRSLTZTZLQaRNZIEcA', type: 'function', function: { name, arguments: '' } })
  return { deltas: pieces.length, events: [chunk({ role: 'assistant', content: null, ...first, refusal: null }), ...pieces.map((text) => chunk(call({ function: { arguments: text } }))), ...end('tool_calls')] }
}

/** Groups events into chunks of the given number, as a connection delivers them. */
export function chunked(events, perChunk) {
  const chunks = []
  for (let at = 0; at < events.length; at += perChunk) {
    const part = events.slice(at, at + perChunk)
    const bytes = new Uint8Array(part.reduce((sum, { length }) => sum + length, 0))
    let to = 0
    for (const piece of part) {
      bytes.set(piece, to)
      to += piece.length
    }
    chunks.push(bytes)
  }
  return chunks
}
