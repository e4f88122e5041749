import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { second } from '../../../lib/time.ts'
import { currentDirectory, directoryOf } from '../directory.ts'
import type { SigningAlg } from '../rows.ts'
import { changeKeys, startKey } from './change-keys.ts'
import { generateKey } from './generate-key.ts'
import { liveKeys } from './key-life.ts'
import type { KeySet, SigningKey, VerificationKey } from './key-set.ts'

interface NodeState {
  creating: Map<SigningAlg, Promise<void>>
  /** Monotonic. */
  lastReading: number
}

const stateOf = onePerDatabase((): NodeState => ({ creating: new Map(), lastReading: Number.NEGATIVE_INFINITY }))

/** Without I/O, unless the directory must be read or the algorithm has no key yet. Call this outside transactions. */
export async function signingKeyFor(ctx: Context, alg: SigningAlg): Promise<SigningKey> {
  const known = (await currentDirectory(ctx)).keys.signing(alg)
  if (known) return known
  await createOnce(ctx, alg)
  const created = (await directoryOf(ctx).read()).keys.signing(alg)
  if (!created) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
  return created
}

/** Concurrent requests of a node wait for one key. */
function createOnce(ctx: Context, alg: SigningAlg): Promise<void> {
  const { creating } = stateOf(ctx)
  const running = creating.get(alg)
  if (running) return running
  const started = createFirst(ctx, alg).finally(() => creating.delete(alg))
  creating.set(alg, started)
  return started
}

async function createFirst(ctx: Context, alg: SigningAlg): Promise<void> {
  const key = await generateKey(ctx.dataKeys, alg)
  await transact(ctx, (tx) =>
    changeKeys(tx, {}, async (change) => {
      // Another node may have created one in the meantime.
      if (!liveKeys(change.rows, alg).current) await startKey(change, key, { replaces: null, reason: 'first' })
    }),
  )
}

/** Thumbprints (RFC 7638) have this form. No other text is looked up. */
const kidForm = /^[A-Za-z0-9_-]{43}$/

/**
 * The key with this id, if it may verify now. A first key, or one that replaced a compromised key, signs before the other
 * nodes know it, so an unknown id makes the node read the keys again, at most once a second.
 */
export const verificationKeyFor = (ctx: Context, kid: string): Promise<VerificationKey | undefined> =>
  findKey(ctx, kid, (keys) => keys.verifying(kid, ctx.clock.now()))

/** The key of a token that may have expired long ago. Undefined if the key was removed as compromised. */
export const rememberedKeyFor = (ctx: Context, kid: string): Promise<VerificationKey | undefined> =>
  findKey(ctx, kid, (keys) => keys.remembered(kid))

async function findKey(
  ctx: Context,
  kid: string,
  pick: (keys: KeySet) => VerificationKey | undefined,
): Promise<VerificationKey | undefined> {
  if (!kidForm.test(kid)) return undefined
  const known = pick((await currentDirectory(ctx)).keys)
  const state = stateOf(ctx)
  if (known || performance.now() - state.lastReading < second) return known
  state.lastReading = performance.now()
  return pick((await directoryOf(ctx).read()).keys)
}
