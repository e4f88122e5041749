interface Options<Value> {
  maxWeight: number
  /** The weight must not change while the value is in the map. By default, `maxWeight` is a number of entries. */
  weightOf?: (value: Value) => number
  onRotate?: () => void
}

/**
 * A map that keeps recently used entries. New and recently used entries are in the young generation. When that
 * generation is full, it becomes the old generation, and the previous old generation is dropped. Looking up a young
 * entry is as fast as in a `Map`.
 */
export class BoundedMap<Key, Value> {
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()
  #youngWeight = 0
  readonly #options: Options<Value>

  constructor(options: Options<Value>) {
    this.#options = options
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#promote(key)
  }

  /** Values heavier than half of `maxWeight` are not stored. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const maxYoungWeight = this.#options.maxWeight / 2
    const weight = this.#weightOf(value)
    if (weight > maxYoungWeight) return
    if (this.#youngWeight + weight > maxYoungWeight) this.rotate()
    this.#young.set(key, value)
    this.#youngWeight += weight
  }

  delete(key: Key): void {
    const value = this.#young.get(key)
    if (value !== undefined) this.#youngWeight -= this.#weightOf(value)
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** Drops entries that have not been used since the last rotation. */
  rotate(): void {
    this.#old = this.#young
    this.#young = new Map()
    this.#youngWeight = 0
    this.#options.onRotate?.()
  }

  clear(): void {
    this.rotate()
    this.#old = new Map()
  }

  #promote(key: Key): Value | undefined {
    const value = this.#old.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  #weightOf(value: Value): number {
    return this.#options.weightOf?.(value) ?? 1
  }
}
