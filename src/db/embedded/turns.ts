import type { PoolUse } from '../../adapters/metrics/port.ts'
import { PoolBusy } from '../errors.ts'
import { EngineGone } from './engine.ts'

export interface TurnQueue {
  take(): Promise<void>
  end(): void
  use(): PoolUse
  close(limit: number): Promise<void>
}

export function createTurns(limits: { wait: number; queue: number }): TurnQueue {
  const queue: (() => void)[] = []
  let isTaken = false
  let isClosed = false

  async function enter(limit: number): Promise<void> {
    if (isTaken) await wait(limit)
    isTaken = true
  }

  function wait(limit: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        queue.splice(queue.indexOf(start), 1)
        reject(new PoolBusy(`the embedded database was busy for ${limit} ms`))
      }
      const timer = setTimeout(giveUp, limit)
      queue.push(start)
    })
  }

  return {
    async take() {
      if (isClosed) throw new EngineGone('The embedded database is closed')
      if (queue.length >= limits.queue) throw new PoolBusy('too many requests are waiting for the embedded database')
      await enter(limits.wait)
    },
    end() {
      const next = queue.shift()
      // The turn passes directly to the next waiter so that a new caller cannot take it first.
      if (next) next()
      else isTaken = false
    },
    use: () => ({ inUse: Number(isTaken), idle: Number(!isTaken), waiting: queue.length }),
    async close(limit) {
      isClosed = true
      await enter(limit).catch(() => {})
    },
  }
}
