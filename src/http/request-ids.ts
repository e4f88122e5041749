import { randomFillSync } from 'node:crypto'

const length = 16
const bytes = Buffer.alloc(512 * 12)

/**
 * 96 random bits in base64url: an id tells nothing about the others, nor how many there were. Drawn for many at a time,
 * which costs less than counting.
 */
export function requestIds(): () => string {
  let drawn = ''
  let next = 0
  return () => {
    if (next === drawn.length) {
      drawn = randomFillSync(bytes).toString('base64url')
      next = 0
    }
    next += length
    return drawn.slice(next - length, next)
  }
}
