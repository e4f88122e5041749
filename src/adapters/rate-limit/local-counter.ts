import type { RateCount } from './port.ts'

export interface LocalCounterOptions {
  maxKeys?: number
  now?: () => number
}

/** Synchronous, for the hot path. */
export interface LocalCounter {
  /** `cost` 0 only reads. */
  hit(key: string, windowMs: number, cost?: number): RateCount
  size(): number
}

interface Window {
  count: number
  endsAt: number
}

/** Two generations of windows instead of a timer per key. A flood of keys evicts unused ones. */
export function createLocalCounter(options: LocalCounterOptions = {}): LocalCounter {
  const { maxKeys = 100_000, now = () => performance.now() } = options
  const perGeneration = Math.ceil(maxKeys / 2)
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()
  let longestWindow = 0
  let agesAt = 0

  function hit(key: string, windowMs: number, cost = 1): RateCount {
    const time = now()
    if (time >= agesAt) turn(time)
    const window = young.get(key) ?? keep(key, windowMs, time)
    if (time >= window.endsAt) {
      window.count = 0
      window.endsAt = time + windowMs
    }
    window.count += cost
    return { count: window.count, resetsInMs: window.endsAt - time, degraded: false }
  }

  function keep(key: string, windowMs: number, time: number): Window {
    const window = old.get(key) ?? { count: 0, endsAt: time + windowMs }
    old.delete(key)
    if (young.size >= perGeneration) turn(time)
    young.set(key, window)
    longestWindow = Math.max(longestWindow, windowMs)
    return window
  }

  function turn(time: number): void {
    old = young
    young = new Map()
    agesAt = time + longestWindow
  }

  return { hit, size: () => young.size + old.size }
}
