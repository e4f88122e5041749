import { hash } from 'node:crypto'

/** Each part of the set grows separately, so growing never needs a second copy of the whole set. */
const parts = 256
const initialSlots = 64
/** The share of slots in use at which a part grows, and the factor by which it grows. */
const [fullest, growth] = [0.85, 1.25]

interface Part {
  slots: Float64Array
  count: number
}

/**
 * A set that uses 9 to 12 bytes per string. Strings are compared by 60 bits of their hash: the first 8 select the part,
 * and the other 52 fit into a number. For five million strings, the probability of a collision is 1 in 90,000.
 */
export function createSeenValues() {
  const set = Array.from({ length: parts }, (): Part => ({ slots: new Float64Array(initialSlots), count: 0 }))
  return {
    /** Returns false if the text was added before. */
    add(kind: string, text: string): boolean {
      const digest = hash('sha1', `${kind}:${text}`, 'hex')
      const part = set[Number.parseInt(digest.slice(0, 2), 16)]!
      if (part.count >= part.slots.length * fullest) grow(part)
      if (!insert(part.slots, Number.parseInt(digest.slice(2, 15), 16) + 1)) return false
      part.count++
      return true
    },
  }
}

export type SeenValues = ReturnType<typeof createSeenValues>

/** Returns false if the key is already present. Zero marks a free slot, so keys begin at 1. */
function insert(slots: Float64Array, key: number): boolean {
  let at = key % slots.length
  while (slots[at] !== 0) {
    if (slots[at] === key) return false
    at = at + 1 === slots.length ? 0 : at + 1
  }
  slots[at] = key
  return true
}

function grow(part: Part): void {
  const slots = new Float64Array(Math.ceil(part.slots.length * growth))
  for (const key of part.slots) if (key !== 0) insert(slots, key)
  part.slots = slots
}
