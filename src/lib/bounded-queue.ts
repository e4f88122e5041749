import { AppError } from './errors.ts'

interface Watch {
  onChange?: (running: number, waiting: number) => void
  onRejected?: () => void
}

/** Rejects calls with 503 while the queue is full. */
export function boundedQueue(concurrency: number, length: number, watch: Watch = {}) {
  const waiting: (() => void)[] = []
  let running = 0
  const report = () => watch.onChange?.(running, waiting.length)
  const assertRoom = () => {
    if (running < concurrency || waiting.length < length) return
    watch.onRejected?.()
    throw new AppError('UNAVAILABLE', { retryAfter: 2 })
  }
  const enter = async () => {
    if (running < concurrency) {
      running++
      return report()
    }
    assertRoom()
    const turn = new Promise<void>((resolve) => waiting.push(resolve))
    report()
    await turn
  }
  // The slot passes directly to the next caller so that no other caller can take it.
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
    report()
  }
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return { run, assertRoom }
}
