import type { CachedSession } from '../context.ts'

const pause = 100
const most = 1_000

/**
 * Confirms copies in use before they run out, many in one statement, so that no request waits for it. Those that cannot
 * be confirmed, for whatever reason, run out at their time: the next request looks for itself and meets the error.
 */
export function revalidateInUse(confirm: (cached: CachedSession[]) => Promise<void>) {
  let ageing: CachedSession[] = []
  let isUnderWay = false

  const flush = async () => {
    if (isUnderWay || ageing.length === 0) return
    isUnderWay = true
    const cached = ageing.slice(0, most)
    ageing = ageing.slice(most)
    await confirm(cached).catch(() => {})
    isUnderWay = false
  }
  const timer = setInterval(flush, pause).unref()
  return {
    note(cached: CachedSession) {
      cached.revalidateFrom = Number.POSITIVE_INFINITY
      ageing.push(cached)
    },
    stop: () => clearInterval(timer),
  }
}
