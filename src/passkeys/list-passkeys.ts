import type { Context, SessionView } from '../context.ts'
import { iso, second } from '../lib/time.ts'
import { authenticatorName } from '../webauthn/authenticator-names.ts'
import { shownNames } from '../webauthn/options.ts'
import { type ListedPasskey, listManagedPasskeys, listWithCreations } from '../webauthn/queries.ts'
import { findRecoveryCodes } from '../webauthn/recovery-queries.ts'
import { relyingPartyOf, userHandleOf } from '../webauthn/relying-party.ts'

/** In this time, the browser of another tab may have stored a passkey that the service does not know yet. */
const creationTime = 30 * second

export const shownPasskey = ({
  id,
  name,
  created_at,
  last_used_at,
  created_via,
  be,
  bs,
  uv_seen,
}: Omit<ListedPasskey, 'credential_id'>) => ({
  id,
  name,
  created_at: iso(created_at),
  last_used_at: last_used_at && iso(last_used_at),
  created_via,
  synced: be,
  backed_up: bs,
  verified: uv_seen,
})

/**
 * The list for the Signal API is complete or absent: passkey managers delete the passkeys that are missing in it
 * (WebAuthn level 3, 5.1.10.3). It is for pages of the relying party, so applications do not receive it.
 */
export async function ownPasskeys(ctx: Context, { user, session }: SessionView) {
  const since = new Date(ctx.clock.now() - creationTime)
  const { passkeys, isCreating } = await listWithCreations(ctx.db, user.id, since)
  const party = relyingPartyOf(ctx.config)
  const signal = {
    rp_id: party.id,
    user_id: userHandleOf(user),
    credential_ids: passkeys.map(({ credential_id }) => credential_id.toString('base64url')),
    name: shownNames(user).name,
    display_name: shownNames(user).displayName,
  }
  const codes = await findRecoveryCodes(ctx.db, user.id)
  return {
    passkeys: passkeys.map(shownPasskey),
    signal: isCreating || session.parent_id !== null ? null : signal,
    recovery_codes: codes ? { remaining: codes.remaining, created_at: iso(codes.created_at) } : null,
  }
}

/** For administrators, who help users to find out which authenticator they have lost. */
export const managedPasskeys = async ({ db }: Context, userId: string) =>
  (await listManagedPasskeys(db, userId)).map((passkey) => ({
    ...shownPasskey(passkey),
    authenticator: authenticatorName(passkey.aaguid),
  }))
