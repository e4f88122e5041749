import { createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Metrics } from '../adapters/metrics/port.ts'
import type { Tracing } from '../adapters/tracing/port.ts'
import { decodeKey } from '../config/decode-key.ts'
import type { Config } from '../config/load.ts'
import type { PasswordHasher } from '../context.ts'
import { heldElsewhere } from '../hooks/password-verify.ts'
import { boundedQueue } from '../lib/bounded-queue.ts'
import { AppError, type ErrorCode } from '../lib/errors.ts'
import { trackWork } from '../lib/running-work.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { createMinimumTime } from './imported/minimum-time.ts'
import { readStoredHash } from './imported/own.ts'
import { describeImport, isImportedHash, storedImport, verifyImported } from './imported/stored.ts'

type Settings = Pick<
  Config,
  'ARGON2_MEMORY_KIB' | 'ARGON2_TIME' | 'ARGON2_PARALLELISM' | 'HASH_CONCURRENCY' | 'HASH_QUEUE' | 'PEPPERS'
>

/** Argon2id (RFC 9106). Concurrency is limited because concurrent hashes slow each other down. */
export function createHasher(
  settings: Settings,
  metrics: Metrics,
  sampleImported: () => Promise<string[]> = async () => [],
): PasswordHasher {
  const queue = boundedQueue(settings.HASH_CONCURRENCY, settings.HASH_QUEUE, {
    onChange: (running, waiting) => metrics.passwordHashes(running, waiting),
    onRejected: () => metrics.passwordHashRejected(),
  })
  const { during, idle } = trackWork()
  const inQueue = <Result>(work: () => Promise<Result>) => during(() => queue.run(work))
  const peppers = settings.PEPPERS.map(({ name, value }) => ({ name, key: decodeKey(value) ?? Buffer.alloc(0) }))
  const options = {
    memoryCost: settings.ARGON2_MEMORY_KIB,
    timeCost: settings.ARGON2_TIME,
    parallelism: settings.ARGON2_PARALLELISM,
    outputLen: 32,
  }
  const current = peppers[0]
  const prefix = current ? `{${current.name}}` : ''
  const applyPepper = (password: string, id: string) => {
    const pepper = peppers.find(({ name }) => name === id)
    if (!pepper) throw new Error(`no pepper with id "${id}" is configured`)
    return createHmac('sha256', pepper.key).update(password).digest('base64')
  }
  const hashNow = (password: string) => hash(current ? applyPepper(password, current.name) : password, options)
  // Passwords for unknown users are checked against this hash to prevent timing attacks.
  const decoy = hashNow(randomBytes(16).toString('base64'))
  void decoy.then(lowerPriority, () => {})

  const hashOwn = async (password: string) => prefix + (await hashNow(password))
  const verifyOwn = (stored: string, password: string) => {
    const { id, phc } = split(stored)
    return verify(phc, id === undefined ? password : applyPepper(password, id))
  }
  const verifyNow = async (stored: string, password: string) =>
    isImportedHash(stored)
      ? verifyImported(stored, password, verifyOwn, prefix + (await decoy))
      : verifyOwn(stored, password)
  const isOutdated = (stored: string) => {
    if (isImportedHash(stored)) return true
    const { id, phc } = split(stored)
    const { memory, time } = costOf(phc)
    return id !== current?.name || memory < options.memoryCost || time < options.timeCost
  }
  const hasPepper = (name: string) => peppers.some((pepper) => pepper.name === name)
  const readOwn = (text: string) => {
    const { memory, time } = costOf(text)
    // An Argon2id hash with the current parameters is treated as our own, even if it was imported.
    const isLikeOwn = memory === options.memoryCost && time === options.timeCost
    return readStoredHash(text, { isLikeOwn, hasPepper })
  }
  const minimumTime = createMinimumTime({
    samples: sampleImported,
    // A password with two forms, whose check takes the longest.
    tryOut: (stored) => inQueue(() => verifyNow(stored, 'wr\u00f6ng')),
  })

  return {
    assertRoom: queue.assertRoom,
    during,
    idle,
    hash: (password) => inQueue(() => hashOwn(password)),
    describeHash: (text) =>
      isHook(text)
        ? { kind: 'checked by the previous system', isWeak: false }
        : readOwn(text) === undefined
          ? describeImport(text)
          : { kind: 'Wardenry', isWeak: false },
    importHash: async (text) =>
      isHook(text) ? heldElsewhere : (readOwn(text) ?? storedImport(text, (digest) => inQueue(() => hashOwn(digest)))),
    isOutdated,
    async verify(stored, password) {
      await minimumTime.prepare()
      const own = stored === heldElsewhere ? undefined : stored
      const subject = own ?? prefix + (await decoy)
      const { matches, begin } = await inQueue(async () => {
        const begin = performance.now()
        return { begin, matches: await verifyNow(subject, password) }
      })
      if (matches && typeof own === 'string') return true
      await minimumTime.waitAfter(begin)
      return false
    },
  }
}

/** In an import, `hook` can take the place of a hash. */
const isHook = (text: string): boolean => text === 'hook' || text === heldElsewhere

/** A stored hash is `{pepper id}$argon2id$…`, or only the PHC string if there is no pepper. */
function split(stored: string): { id: string | undefined; phc: string } {
  const match = /^\{([A-Za-z0-9_-]+)\}(.*)$/.exec(stored)
  return match ? { id: match[1], phc: match[2] ?? '' } : { id: undefined, phc: stored }
}

/** Ignores parallelism, which does not change the cost of guessing. For an unknown format, both values are zero. */
function costOf(phc: string): { memory: number; time: number } {
  const [, memory = 0, time = 0] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(phc) ?? []
  return { memory: Number(memory), time: Number(time) }
}

/**
 * Lets requests that hash nothing go first during a storm of sign-ins. A higher value hardly speeds them up, but a
 * sign-in during a burst of webhook deliveries would take up to twice as long.
 */
const niceness = 5

/** Hashing runs on libuv's threads. Only Linux supports per-thread priorities (setpriority(2), BUGS). */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'libuv-worker') setPriority(Number(thread), niceness)
    }
  } catch {
    // Without permission, hashing keeps the normal priority.
  }
}

/** The spans include the time a request waits in the queue. */
export function tracedHasher(hasher: PasswordHasher, tracing: Tracing | undefined): PasswordHasher {
  if (!tracing) return hasher
  const span = (name: string) => ({ name, kind: 'internal' as const, attributes: {} })
  return {
    ...hasher,
    hash: (password) => tracing.inSpan(span('hash password'), () => hasher.hash(password)),
    verify: (stored, password) => tracing.inSpan(span('verify password'), () => hasher.verify(stored, password)),
  }
}

/** Thrown if a password change or rehashing at sign-in replaced the hash during the check, which is then repeated. */
class HashReplaced extends AppError {}

const attempts = 3

/** Repeats the work if the hash has been replaced, up to three attempts in total. */
export async function untilHashStays<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HashReplaced) || attempt === attempts) throw error
    }
  }
}

/** Throws if the stored hash has been replaced since the password was checked. */
export function assertSamePassword(present: UserWithPassword, checked: UserWithPassword, rejection: ErrorCode): void {
  if (present.password_hash !== checked.password_hash) throw new HashReplaced(rejection)
}
