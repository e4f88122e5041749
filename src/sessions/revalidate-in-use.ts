import type { CachedSession } from '../context.ts'

const intervalMs = 100
const maxBatch = 1_000

/** Revalidates sessions in use before they expire, many in one statement, so that no request waits. */
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
      cached.isBeingRevalidated = true
      ageing.push(cached)
    },
    stop: () => clearInterval(timer),
  }
}
