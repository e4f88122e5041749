import { setTimeout } from 'node:timers/promises'
import { minute } from '../../lib/time.ts'
import { kindOf } from './stored.ts'

interface Source {
  /** A sample of the imported hashes that have not been replaced. */
  samples(): Promise<string[]>
  /** Verifies a wrong password. */
  tryOut(stored: string): Promise<unknown>
}

/** A factor that allows for variation in the measured times. */
const margin = 1.3

/**
 * While imported hashes are stored, every failed check takes a minimum time so that its duration reveals neither the
 * kind of hash nor whether a hash exists. Each process measures all stored kinds of hash and uses the longest time.
 */
export function createMinimumTime({ samples, tryOut }: Source) {
  const durations = new Map<string, number>()
  let checked = Number.NEGATIVE_INFINITY
  let milliseconds = 0
  let update: Promise<void> | undefined

  async function measure(): Promise<void> {
    const stored = new Map((await samples()).map((hash) => [kindOf(hash), hash]))
    for (const [kind, hash] of stored) {
      if (durations.has(kind)) continue
      const begin = performance.now()
      await tryOut(hash)
      durations.set(kind, performance.now() - begin)
    }
    milliseconds = margin * Math.max(0, ...[...stored.keys()].map((kind) => durations.get(kind) ?? 0))
    checked = performance.now()
  }

  return {
    async prepare(): Promise<void> {
      if (performance.now() - checked < minute) return
      update ??= measure().finally(() => {
        update = undefined
      })
      // If the measurement fails, the last known time is used.
      await update.catch(() => {})
    },
    async waitAfter(begin: number): Promise<void> {
      const rest = milliseconds - (performance.now() - begin)
      if (rest > 0) await setTimeout(rest)
    },
  }
}
