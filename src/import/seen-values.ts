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
    /** Adds the texts if none of them was added before with the same kind. Returns the kinds of those that were. */
    add(values: readonly (readonly [kind: string, text: string])[]): string[] {
      const places = values.map(([kind, text]) => {
        const digest = hash('sha1', `${kind}:${text}`, 'hex')
        const part = set[Number.parseInt(digest.slice(0, 2), 16)]!
        return { kind, part, key: Number.parseInt(digest.slice(2, 15), 16) + 1 }
      })
      const repeated = places.filter(({ part, key }) => part.slots[slotOf(part.slots, key)] === key)
      if (repeated.length === 0) for (const { part, key } of places) insert(part, key)
      return repeated.map(({ kind }) => kind)
    },
  }
}

export type SeenValues = ReturnType<typeof createSeenValues>

/** The slot that contains the key, or the free slot for it. Zero marks a free slot, so keys begin at 1. */
function slotOf(slots: Float64Array, key: number): number {
  let at = key % slots.length
  while (slots[at] !== 0 && slots[at] !== key) at = at + 1 === slots.length ? 0 : at + 1
  return at
}

function insert(part: Part, key: number): void {
  if (part.count >= part.slots.length * fullest) grow(part)
  part.slots[slotOf(part.slots, key)] = key
  part.count++
}

function grow(part: Part): void {
  const slots = new Float64Array(Math.ceil(part.slots.length * growth))
  for (const key of part.slots) if (key !== 0) slots[slotOf(slots, key)] = key
  part.slots = slots
}
