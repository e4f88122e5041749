import { recordAudit } from '../audit/record.ts'
import type { RequestDevice, Transaction } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { voidTokens } from '../one-time-tokens/queries.ts'
import { mailedDevice } from '../outbox/enqueue.ts'
import { mailAccountChange } from '../users/mail-account-change.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { authenticatorName } from './authenticator-names.ts'
import type { CreatedPasskey } from './check-response.ts'
import { noteRelyingParty } from './former-relying-party.ts'
import { countPasskeys, insertPasskey, type PasskeyRow } from './queries.ts'

export const maxPasskeys = 20

interface NewPasskey {
  id: string
  created: CreatedPasskey
  via: PasskeyRow['created_via']
  /** By default, the name of the authenticator. */
  name?: string | undefined
  device: RequestDevice
}

/**
 * Stores a passkey whose challenge was consumed, and returns its name. Returns undefined if the credential is already
 * registered. The caller has locked the user.
 */
export async function keepPasskey(
  tx: Transaction,
  user: Pick<UserWithPassword, 'id' | 'user_type'>,
  { id, created, via, name, device }: NewPasskey,
): Promise<string | undefined> {
  const row = {
    ...created,
    id,
    user_id: user.id,
    created_at: tx.clock.date(),
    last_used_at: null,
    name: name || authenticatorName(created.aaguid),
    created_via: via,
  }
  if (!(await insertPasskey(tx.db, row))) return undefined
  await noteRelyingParty(tx)
  // A link to add a passkey has served its purpose.
  await voidTokens(tx.db, 'passkey_link', user.id, tx.clock.date())
  const details = { passkey: id, via, name: row.name }
  await recordAudit(tx, { event: 'passkey_added', actor: user, target: user.id, device, details })
  return row.name
}

/** The caller has locked the user. */
export async function assertRoomForPasskey(tx: Transaction, userId: string): Promise<void> {
  if ((await countPasskeys(tx.db, userId)) < maxPasskeys) return
  throw invalidField('passkey', `can be added at most ${maxPasskeys} times: remove one first`)
}

interface PasskeyNotice {
  /** `passkey_created`: by the browser, without asking the user. */
  message: 'passkey_added' | 'passkey_created' | 'passkey_removed'
  passkey: string
  device: RequestDevice
}

export const notifyPasskeyChange = (
  tx: Transaction,
  user: UserWithPassword,
  { message, passkey, device }: PasskeyNotice,
): Promise<void> =>
  mailAccountChange(tx, { user, device }, message, {
    // The user has chosen the name, so an unverified address must not receive it.
    passkey: user.is_verified ? passkey : '',
    user_agent: mailedDevice(user, device),
  })
