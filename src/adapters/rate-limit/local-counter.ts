import { BoundedMap } from '../../lib/bounded-map.ts'
import type { RateCount } from './port.ts'

export interface LocalCounterOptions {
  maxKeys?: number
  now?: () => number
}

interface Window {
  count: number
  endsAt: number
}

/** Synchronous because it is on the hot path. Rotation drops keys that have had no recent hits. */
export function createLocalCounter(options: LocalCounterOptions = {}) {
  const { maxKeys = 100_000, now = () => performance.now() } = options
  const windows = new BoundedMap<string, Window>({ maxWeight: maxKeys, onRotate })
  let maxWindow = 0
  let rotatesAt = 0

  /** A `cost` of 0 only reads the count. */
  function hit(key: string, windowMs: number, cost = 1): RateCount {
    const time = now()
    if (time >= rotatesAt) windows.rotate()
    const window = windows.get(key) ?? start(key, windowMs, time)
    if (time >= window.endsAt) {
      window.count = 0
      window.endsAt = time + windowMs
    }
    window.count += cost
    // The sum of two floating-point numbers may be too large by a fraction, which a response would round up to a second.
    return { count: window.count, resetsInMs: Math.min(window.endsAt - time, windowMs), degraded: false }
  }

  function start(key: string, windowMs: number, time: number): Window {
    const window = { count: 0, endsAt: time + windowMs }
    maxWindow = Math.max(maxWindow, windowMs)
    windows.set(key, window)
    return window
  }

  function onRotate(): void {
    rotatesAt = now() + maxWindow
  }

  return { hit, size: () => windows.size }
}
