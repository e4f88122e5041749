import { createCipheriv, createHmac, hash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { assertAffordable, limits, UnusableHash } from './limits.ts'

/** All functions compute on libuv's threads. */
const derive = promisify(pbkdf2)
const deriveScrypt = (password: string, salt: Buffer, length: number, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 2 * limits.scryptBytes }
    scrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

interface ScryptCost {
  N: number
  r: number
  p: number
}

type Match = (password: string) => Promise<boolean>

interface Scheme {
  form: RegExp
  /** Checks the parameters again, because a row can also come from a restored backup. */
  read(parts: RegExpExecArray): Match
}

const b64 = '([A-Za-z0-9+/]+)'
const phcScrypt = (name: string) =>
  new RegExp(`^\\$${name}\\$ln=(\\d{1,2}),r=(\\d{1,3}),p=(\\d{1,3})\\$${b64}\\$${b64}$`)
const bcryptText = '(\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53})'

/** The text that the system passed to bcrypt instead of the password. */
const bcryptInputs: Record<string, (password: string) => string> = {
  '': (password) => password,
  // Django
  $sha256: (password) => hash('sha256', password, 'hex'),
  // WordPress since 6.8
  $wp: (password) => createHmac('sha384', 'wp-sha384').update(password).digest('base64'),
}

const schemes: readonly Scheme[] = [
  {
    form: new RegExp(`^(|\\$sha256|\\$wp)${bcryptText}$`),
    read: ([, input = '', text = '', cost]) => {
      assertAffordable(Number(cost) >= limits.bcryptCost.min && Number(cost) <= limits.bcryptCost.max)
      return (password) => verifyBcrypt(bcryptInputs[input]?.(password) ?? '', text)
    },
  },
  {
    form: new RegExp(`^\\$argon2(?:id|i|d)\\$v=(?:16|19)\\$m=(\\d{1,9}),t=(\\d{1,4}),p=(\\d{1,4})\\$${b64}\\$${b64}$`),
    read: ([text, memory, time, lanes]) => {
      const { memoryKib, time: maxTime, lanes: maxLanes } = limits.argon2
      assertAffordable(Number(memory) <= memoryKib && Number(time) <= maxTime && Number(lanes) <= maxLanes)
      return (password) => verifyArgon2(text, password)
    },
  },
  {
    form: /^\$pbkdf2-(sha1|sha256|sha512)\$i=(\d{1,9})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]+)$/,
    read: ([, digest = '', iterations, salt = '', expected = '']) => {
      assertAffordable(Number(iterations) >= 1 && Number(iterations) <= limits.pbkdf2Iterations)
      const key = bytes(expected)
      return async (password) => equal(await derive(password, bytes(salt), Number(iterations), key.length, digest), key)
    },
  },
  {
    form: phcScrypt('scrypt'),
    read: ([, ln, r, p, salt = '', expected = '']) => {
      const cost = scryptCost(ln, r, p)
      const key = bytes(expected)
      return async (password) => equal(await deriveScrypt(password, bytes(salt), key.length, cost), key)
    },
  },
  {
    form: phcScrypt('firebase-scrypt'),
    read: ([, ln, r, p, salt = '', expected = '']) => {
      const cost = scryptCost(ln, r, p)
      return async (password) =>
        equal(
          firebaseKeystream(await deriveScrypt(password, bytes(salt), 32, cost), bytes(expected).length),
          bytes(expected),
        )
    },
  },
]

/** Throws UnusableHash if the format is unknown or the parameters exceed the limits. */
export function readStrongHash(text: string): Match {
  for (const { form, read } of schemes) {
    const parts = text.length <= limits.textLength ? form.exec(text) : null
    if (parts) return read(parts)
  }
  throw new UnusableHash('UNKNOWN_HASH')
}

/** Firebase encrypts a key with AES-256-CTR and the derived key, so the keystream alone identifies the password. */
export const firebaseKeystream = (key: Buffer, length: number): Buffer =>
  createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))

function scryptCost(ln = '', r = '', p = ''): ScryptCost {
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const isPositive = Number(ln) > 0 && cost.r > 0 && cost.p > 0
  assertAffordable(
    isPositive && 128 * cost.N * cost.r <= limits.scryptBytes && cost.N * cost.r * cost.p <= limits.scryptWork,
  )
  return cost
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64')

const equal = (left: Buffer, right: Buffer): boolean => left.length === right.length && timingSafeEqual(left, right)
