import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { isSealedByOldKey, seal, tryUnseal } from '../../../lib/seal.ts'
import type { SigningKeyRow } from '../directory-queries.ts'
import { type SigningAlg, signingAlgs } from '../rows.ts'
import { changeKeys, endCurrent, publishNext, type SigningKeyChange, startKey } from './change-keys.ts'
import { type GeneratedKey, generateKey } from './generate-key.ts'
import { dueStep, type KeyStep, liveKeys, nextActiveFrom } from './key-life.ts'
import { deleteKeys, findAlgsInUse, findSigningKeys, updateSealed } from './key-queries.ts'

/** Of several nodes, only one takes a step, because each compares the keys with their times again under the lock. */
async function maintainKeys(ctx: Context): Promise<number> {
  const [rows, inUse] = [await findSigningKeys(ctx.db), await findAlgsInUse(ctx.db, ctx.config)]
  const due = dueSteps(ctx, rows, inUse)
  if (due.size === 0 && oldSeals(ctx, rows).length === 0 && expired(ctx, rows).length === 0) return 0
  const fresh = new Map<SigningAlg, GeneratedKey>()
  for (const [alg, step] of due) if (needsKey(step)) fresh.set(alg, await generateKey(ctx.dataKeys, alg))
  return transact(ctx, (tx) =>
    changeKeys(tx, {}, async (change) => {
      await takeSteps(change, dueSteps(tx, change.rows, inUse), fresh)
      await resealKeys(change)
      const kids = expired(tx, change.rows).map(({ kid }) => kid)
      if (kids.length > 0) await deleteKeys(tx.db, kids)
      return kids.length
    }),
  )
}

function dueSteps(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  rows: readonly SigningKeyRow[],
  inUse: ReadonlySet<SigningAlg>,
): Map<SigningAlg, KeyStep> {
  const steps = new Map<SigningAlg, KeyStep>()
  for (const alg of signingAlgs) {
    const step = dueStep(liveKeys(rows, alg), { now: clock.now(), isInUse: inUse.has(alg), settings: config })
    if (step) steps.set(alg, step)
  }
  return steps
}

async function takeSteps(
  change: SigningKeyChange,
  steps: ReadonlyMap<SigningAlg, KeyStep>,
  fresh: ReadonlyMap<SigningAlg, GeneratedKey>,
): Promise<void> {
  const { rows, now, tx } = change
  for (const [alg, step] of steps) {
    const key = fresh.get(alg)
    if (!needsKey(step)) await endCurrent(change, alg, 'due')
    else if (key && step === 'start') await startKey(change, key, { replaces: null, reason: 'first' })
    else if (key) await publishNext(change, key, nextActiveFrom(liveKeys(rows, alg), now, tx.config))
  }
}

const needsKey = (step: KeyStep): boolean => step === 'start' || step === 'publish'

const isLive = ({ status }: SigningKeyRow): boolean => status === 'next' || status === 'current'

const oldSeals = ({ dataKeys }: Pick<Context, 'dataKeys'>, rows: readonly SigningKeyRow[]): SigningKeyRow[] =>
  rows.filter((row) => isLive(row) && isSealedByOldKey(dataKeys, row.sealed_private))

/** Keys that a step has retired have lost their private part, so they are read again. */
async function resealKeys({ tx }: SigningKeyChange): Promise<void> {
  for (const { kid, sealed_private } of oldSeals(tx, await findSigningKeys(tx.db))) {
    const plain = tryUnseal(tx.dataKeys, sealed_private)
    if (plain !== undefined) await updateSealed(tx.db, { kid, sealed_private: seal(tx.dataKeys, plain) })
    else tx.log.error({ kid }, 'a signing key was encrypted under a data key that is not in DATA_KEYS')
  }
}

const expired = ({ clock }: Pick<Context, 'clock'>, rows: readonly SigningKeyRow[]): SigningKeyRow[] =>
  rows.filter(({ delete_after }) => delete_after !== null && delete_after.getTime() <= clock.now())

export const signingKeyJobs = { oauth_keys: maintainKeys }
