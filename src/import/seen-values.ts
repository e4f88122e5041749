import { hash } from 'node:crypto'

/** At least half of the slots stay free. Values are compared by 52 bits of their hash, which fit into a number. */
const initialSlots = 2 ** 16

/** A set that uses 16 to 32 bytes per string. For a million strings, the probability of a collision is 1 in 9,000. */
export function createSeenValues() {
  let slots = new Float64Array(initialSlots)
  let count = 0

  /** Returns false if the key is already present. */
  function insert(key: number): boolean {
    const mask = slots.length - 1
    let at = key % slots.length
    while (slots[at] !== 0) {
      if (slots[at] === key) return false
      at = (at + 1) & mask
    }
    slots[at] = key
    count++
    return true
  }

  function grow(): void {
    const old = slots
    slots = new Float64Array(old.length * 2)
    count = 0
    for (const key of old) if (key !== 0) insert(key)
  }

  return {
    /** Returns false if the text was added before. */
    add(kind: string, text: string): boolean {
      if (count * 2 >= slots.length) grow()
      const key = Number.parseInt(hash('sha1', `${kind}:${text}`, 'hex').slice(0, 13), 16) + 1
      return insert(key)
    },
  }
}

export type SeenValues = ReturnType<typeof createSeenValues>
