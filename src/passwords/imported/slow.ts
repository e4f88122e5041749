import { createCipheriv, pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { hashRaw } from '@node-rs/argon2'
import { bcryptDigest } from './bcrypt.ts'
import { assertAffordable, limits, minimum, UnusableHash } from './limits.ts'

/** A hash from a function that is slow by design. All supported functions run on libuv's threads. */
export interface SlowHash {
  /** Whether the hash may be stored as it is. */
  isStrong: boolean
  digest: string
  /** The hash with a blank digest of the same length. `readSlowHash` accepts it. */
  recipe: string
  compute(password: string): Promise<string>
}

interface Scheme {
  /** The last capture group matches the digest. */
  form: RegExp
  /** Checks the parameters of stored hashes too, because a row can come from a restored backup. */
  read(parts: RegExpExecArray): Pick<SlowHash, 'isStrong' | 'compute'>
}

const b64 = '([A-Za-z0-9+/]+)'
const phcScrypt = (name: string) =>
  new RegExp(`^\\$${name}\\$ln=(\\d{1,2}),r=(\\d{1,3}),p=(\\d{1,3})\\$${b64}\\$${b64}$`)

const schemes: readonly Scheme[] = [
  {
    form: /^(|\$sha256|\$wp)\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/,
    read: ([, variant = '', cost, salt = '']) => {
      assertAffordable(Number(cost) >= limits.bcryptCost.min && Number(cost) <= limits.bcryptCost.max)
      return {
        isStrong: Number(cost) >= minimum.bcryptCost,
        compute: (password) => bcryptDigest(password, { variant, cost: Number(cost), salt }),
      }
    },
  },
  {
    form: new RegExp(`^\\$argon2(id|i|d)\\$v=(16|19)\\$m=(\\d{1,9}),t=(\\d{1,4}),p=(\\d{1,4})\\$${b64}\\$${b64}$`),
    read: ([, kind = '', version, m, t, p, salt = '', digest = '']) => {
      const [memoryCost, timeCost, parallelism] = [Number(m), Number(t), Number(p)]
      const { memoryKib, time: maxTime, lanes: maxLanes } = limits.argon2
      assertAffordable(memoryCost <= memoryKib && timeCost <= maxTime && parallelism <= maxLanes)
      const algorithm = ['d', 'i', 'id'].indexOf(kind)
      const options = { memoryCost, timeCost, parallelism, algorithm, version: version === '16' ? 0 : 1 }
      const outputLen = bytes(digest).length
      // See RFC 9106, section 3.1. The package throws for other values.
      const isPossible = timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
      if (!isPossible || outputLen < 4 || bytes(salt).length < 8) throw new UnusableHash('UNKNOWN_HASH')
      return {
        isStrong: memoryCost * timeCost >= minimum.argon2KibPasses,
        compute: async (password) => unpadded(await hashRaw(password, { ...options, outputLen, salt: bytes(salt) })),
      }
    },
  },
  {
    form: /^\$pbkdf2-(sha1|sha256|sha512)\$i=(\d{1,9})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]+)$/,
    read: ([, algorithm, iterations, salt = '', digest = '']) => {
      const [count, name] = [Number(iterations), algorithm as 'sha1' | 'sha256' | 'sha512']
      assertAffordable(count >= 1 && count <= limits.pbkdf2Iterations)
      return {
        isStrong: count >= minimum.pbkdf2Iterations[name],
        compute: async (password) =>
          unpadded(await derivePbkdf2(password, bytes(salt), count, bytes(digest).length, name)),
      }
    },
  },
  {
    form: phcScrypt('scrypt'),
    read: ([, ln, r, p, salt = '', digest = '']) => {
      const cost = scryptCost(ln, r, p)
      const compute = (password: string) => deriveScrypt(password, bytes(salt), bytes(digest).length, cost)
      return { isStrong: isStrongScrypt(cost), compute: async (password) => unpadded(await compute(password)) }
    },
  },
  {
    form: phcScrypt('firebase-scrypt'),
    read: ([, ln, r, p, salt = '', digest = '']) => {
      const cost = scryptCost(ln, r, p)
      const compute = async (password: string) =>
        firebaseKeystream(await deriveScrypt(password, bytes(salt), 32, cost), bytes(digest).length)
      return { isStrong: isStrongScrypt(cost), compute: async (password) => unpadded(await compute(password)) }
    },
  },
]

/** Throws UnusableHash if the format is unknown or the parameters exceed the limits. */
export function readSlowHash(text: string): SlowHash {
  for (const { form, read } of schemes) {
    const parts = text.length <= limits.textLength ? form.exec(text) : null
    if (!parts) continue
    const given = parts.at(-1) ?? ''
    const isBcrypt = form === schemes[0]?.form
    const recipe = text.slice(0, -given.length) + (isBcrypt ? '.' : 'A').repeat(given.length)
    return { ...read(parts), digest: isBcrypt ? given : unpadded(bytes(given)), recipe }
  }
  throw new UnusableHash('UNKNOWN_HASH')
}

const derivePbkdf2 = promisify(pbkdf2)

interface ScryptCost {
  N: number
  r: number
  p: number
}

const deriveScrypt = (password: string, salt: Buffer, length: number, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 2 * limits.scryptBytes }
    scrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

function scryptCost(ln = '', r = '', p = ''): ScryptCost {
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const isPositive = Number(ln) > 0 && cost.r > 0 && cost.p > 0
  assertAffordable(
    isPositive && 128 * cost.N * cost.r <= limits.scryptBytes && cost.N * cost.r * cost.p <= limits.scryptWork,
  )
  return cost
}

const isStrongScrypt = ({ N, r, p }: ScryptCost): boolean => N * r * p >= minimum.scryptWork

/** Firebase encrypts its signer key with AES-256-CTR under the derived key. The keystream serves as the digest. */
const firebaseKeystream = (key: Buffer, length: number): Buffer =>
  createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))

const bytes = (text: string): Buffer => Buffer.from(text, 'base64')

const unpadded = (value: Buffer): string => value.toString('base64').replace(/=+$/, '')
