import { type Config, ConfigError } from '../config/load.ts'
import type { Transaction } from '../context.ts'
import { findFact, recordFact } from '../db/installation-facts.ts'
import type { Db } from '../db/tables.ts'
import { countAllPasskeys } from './relying-party-queries.ts'

const fact = 'passkey_rp_id'

/** Records the domain of the passkeys. Call this in the transaction that creates a passkey. */
export async function noteRelyingParty(tx: Transaction): Promise<void> {
  const { WEBAUTHN_RP_ID: value } = tx.config
  if ((await findFact(tx.db, fact)) !== value) await recordFact(tx.db, { fact, value, now: tx.clock.date() })
}

/** The domain for which passkeys were last created. */
export const findRelyingPartyId = (db: Db): Promise<string | undefined> => findFact(db, fact)

type Settings = Pick<Config, 'WEBAUTHN_RP_ID' | 'given'>

export interface LostPasskeys {
  /** The domain for which passkeys were last created. */
  formerId: string
  count: number
}

/** Returns undefined if no passkey has stopped working because the domain changed. */
export async function findLostPasskeys(db: Db, { WEBAUTHN_RP_ID }: Settings): Promise<LostPasskeys | undefined> {
  const formerId = await findFact(db, fact)
  if (formerId === undefined || formerId === WEBAUTHN_RP_ID) return undefined
  const count = await countAllPasskeys(db)
  return count > 0 ? { formerId, count } : undefined
}

export const isRelyingPartyGiven = ({ given }: Pick<Config, 'given'>): boolean => 'WEBAUTHN_RP_ID' in given

/** A changed PUBLIC_URL must not silently invalidate all passkeys. An explicit WEBAUTHN_RP_ID is intended. */
export async function assertSameRelyingParty(db: Db, config: Settings): Promise<void> {
  if (isRelyingPartyGiven(config)) return
  const lost = await findLostPasskeys(db, config)
  if (lost) throw new ConfigError([lostPasskeysText(lost, config)])
}

export const lostPasskeysText = ({ formerId, count }: LostPasskeys, { WEBAUTHN_RP_ID: id }: Settings): string =>
  `${count === 1 ? '1 passkey was' : `${count} passkeys were`} created for ${formerId} and would stop working, because ` +
  `passkeys are now for ${id}, the host of PUBLIC_URL. Set WEBAUTHN_RP_ID=${formerId} to keep them (docs/passkeys.md ` +
  `explains how pages on another domain can use them), or WEBAUTHN_RP_ID=${id} to give them up`
