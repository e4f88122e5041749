import type { SessionCopy } from '../context.ts'

const pause = 100
const most = 1_000

/**
 * Confirms copies in use before they run out, many in one statement, so that no request waits for it. Those that cannot
 * be confirmed, for whatever reason, run out at their time: the next request looks for itself and meets the error.
 */
export function confirmAgeing(confirm: (copies: SessionCopy[]) => Promise<void>) {
  let ageing: SessionCopy[] = []
  let isUnderWay = false

  const flush = async () => {
    if (isUnderWay || ageing.length === 0) return
    isUnderWay = true
    const copies = ageing.slice(0, most)
    ageing = ageing.slice(most)
    await confirm(copies).catch(() => {})
    isUnderWay = false
  }
  const timer = setInterval(flush, pause).unref()
  return {
    note(copy: SessionCopy) {
      copy.confirmFrom = Number.POSITIVE_INFINITY
      ageing.push(copy)
    },
    stop: () => clearInterval(timer),
  }
}
