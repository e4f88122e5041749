import type { CachedSession } from '../context.ts'

const intervalMs = 100
const maxBatch = 1_000

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
    const cached = ageing.slice(0, maxBatch)
    ageing = ageing.slice(maxBatch)
    await confirm(cached).catch(() => {})
    isUnderWay = false
  }
  const timer = setInterval(flush, intervalMs).unref()
  return {
    note(cached: CachedSession) {
      cached.revalidateFrom = Number.POSITIVE_INFINITY
      ageing.push(cached)
    },
    stop: () => clearInterval(timer),
  }
}
