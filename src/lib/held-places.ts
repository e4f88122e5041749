import { AppError } from './errors.ts'

export function concurrencyLimiter() {
  const busy = new Map<string, number>()
  const leave = (holder: string) => {
    const left = (busy.get(holder) ?? 1) - 1
    if (left > 0) busy.set(holder, left)
    else busy.delete(holder)
  }
  return async function atMost<Result>(most: number, holder: string, work: () => Promise<Result>): Promise<Result> {
    const held = busy.get(holder) ?? 0
    if (held >= most) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
    busy.set(holder, held + 1)
    try {
      return await work()
    } finally {
      leave(holder)
    }
  }
}
