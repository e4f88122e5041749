import type { CachedSession } from '../context.ts'

const generationWeight = 25_000
/** In milliseconds. Longer than the longest lifetime of a cached session and any read together. */
const epochMemory = 120_000

/** Two generations of bounded size. A raised epoch also invalidates sessions that are being read meanwhile. */
export class MemorySessions {
  #young = new Map<string, CachedSession>()
  #old = new Map<string, CachedSession>()
  #youngWeight = 0
  readonly #epochs = new Map<string, { epoch: number; until: number }>()

  get(tokenHash: string): CachedSession | undefined {
    const cached = this.#young.get(tokenHash) ?? this.#promote(tokenHash)
    return cached && this.#isCurrent(cached) ? cached : undefined
  }

  /** Returns false and stores nothing if the user's epoch has risen above that of the session. */
  set(tokenHash: string, cached: CachedSession): boolean {
    if (!this.#isCurrent(cached)) return false
    if (this.#youngWeight >= generationWeight) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngWeight = 0
    }
    if (!this.#young.has(tokenHash)) this.#youngWeight += weightOf(cached)
    this.#young.set(tokenHash, cached)
    return true
  }

  delete(tokenHash: string): void {
    this.#young.delete(tokenHash)
    this.#old.delete(tokenHash)
  }

  /** Returns false if the epoch was known. `now` in milliseconds. Epochs are kept longer than any read can take. */
  raiseEpoch(userId: string, epoch: number, now: number): boolean {
    for (const [id, { until }] of this.#epochs) {
      if (until > now) break
      this.#epochs.delete(id)
    }
    const known = this.#epochs.get(userId)?.epoch ?? 0
    this.#epochs.delete(userId)
    this.#epochs.set(userId, { epoch: Math.max(known, epoch), until: now + epochMemory })
    return epoch > known
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#youngWeight = 0
  }

  #isCurrent({ view }: CachedSession): boolean {
    const raised = this.#epochs.size === 0 ? undefined : this.#epochs.get(view.user.id)
    return raised === undefined || view.epoch >= raised.epoch
  }

  #promote(tokenHash: string): CachedSession | undefined {
    const cached = this.#old.get(tokenHash)
    if (cached) this.set(tokenHash, cached)
    return cached
  }
}

/** About 1 per KiB, because metadata can be up to 16 KiB. */
function weightOf({ view }: CachedSession): number {
  const metadata = JSON.stringify(view.user.metadata)
  return metadata === '{}' ? 1 : 1 + Math.ceil(metadata.length / 1024)
}
