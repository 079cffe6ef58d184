// Tasks of a page, as Chromium traces them.

/**
 * Runs `act` and returns the tasks of the page's main thread meanwhile: their time by the clock and by the processor, in ms.
 * `cdp` is a session of the page.
 */
export async function tracing(cdp, act) {
  const events = []
  const collect = ({ value }) => events.push(...value)
  cdp.on('Tracing.dataCollected', collect)
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', '__metadata'] } })
  try {
    await act()
  } finally {
    const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
    await cdp.send('Tracing.end')
    await complete
    cdp.off('Tracing.dataCollected', collect)
  }
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}:${tid}`))
  const tasks = events.filter(({ name, ph, pid, tid, tdur }) => name === 'ThreadControllerImpl::RunTask' && ph === 'X' && tdur !== undefined && mains.has(`${pid}:${tid}`))
  if (!tasks.length) throw new Error('the trace has no tasks')
  return tasks.map(({ dur, tdur }) => ({ clock: dur / 1000, processor: tdur / 1000 }))
}
