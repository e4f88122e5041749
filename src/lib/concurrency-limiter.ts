import { AppError } from './errors.ts'

export function concurrencyLimiter() {
  const busy = new Map<string, number>()
  const leave = (holder: string) => {
    const left = (busy.get(holder) ?? 1) - 1
    if (left > 0) busy.set(holder, left)
    else busy.delete(holder)
  }
  return async function atMost<Result>(max: number, holder: string, work: () => Promise<Result>): Promise<Result> {
    const running = busy.get(holder) ?? 0
    if (running >= max) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
    busy.set(holder, running + 1)
    try {
      return await work()
    } finally {
      leave(holder)
    }
  }
}
