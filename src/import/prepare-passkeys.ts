import type { Context } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { looksLikeId, newId } from '../lib/ids.ts'
import { pastTimeOf } from '../lib/time-field.ts'
import { methodNameField } from '../users/fields.ts'
import { authenticatorName } from '../webauthn/authenticator-names.ts'
import type { PasskeyRow } from '../webauthn/queries.ts'
import type { ImportRecord } from './record.ts'

type GivenPasskey = NonNullable<ImportRecord['passkeys']>[number]

interface Owner {
  id: string
  created_at: Date
}

/** Each of these is counted, not only the users that have any. */
const lostPasskeys = {
  otherDomain: 'passkey for another domain (WEBAUTHN_RP_ID)',
  // Authenticators return the id of the user together with the passkey.
  otherId: 'passkey of a user without a UUID',
}

export const isLostPasskey = (lost: string): boolean => Object.values(lostPasskeys).includes(lost)

/** Throws VALIDATION_ERROR for the first passkey that cannot be stored. */
export function preparePasskeys(ctx: Context, { id, passkeys: given = [] }: ImportRecord, owner: Owner) {
  const passkeys: PasskeyRow[] = []
  const lost: string[] = []
  const keepsId = id !== undefined && looksLikeId(id.toLowerCase())
  for (const [at, passkey] of given.entries()) {
    if (!keepsId) lost.push(lostPasskeys.otherId)
    else if (passkey.rp_id !== ctx.config.WEBAUTHN_RP_ID) lost.push(lostPasskeys.otherDomain)
    else passkeys.push(rowOf(ctx, passkey, { owner, field: `passkeys.${at}`, earlier: passkeys }))
  }
  return { passkeys, lost }
}

interface Place {
  owner: Owner
  field: string
  earlier: readonly PasskeyRow[]
}

function rowOf(ctx: Context, passkey: GivenPasskey, { owner, field, earlier }: Place): PasskeyRow {
  const credential_id = bytesOf(`${field}.credential_id`, passkey.credential_id, [16, 1023])
  if (earlier.some((row) => row.credential_id.equals(credential_id)))
    throw invalidField(`${field}.credential_id`, 'is also that of an earlier passkey')
  if (passkey.backed_up && !passkey.synced) throw invalidField(`${field}.backed_up`, 'must be false if synced is false')
  const now = ctx.clock.now()
  const aaguid = passkey.aaguid ?? noAaguid
  return {
    id: newId(),
    user_id: owner.id,
    created_at: pastTimeOf(`${field}.created_at`, passkey.created_at, now) ?? owner.created_at,
    last_used_at: pastTimeOf(`${field}.last_used_at`, passkey.last_used_at, now) ?? null,
    sign_count: passkey.sign_count ?? 0,
    discoverable: passkey.discoverable === true,
    uv_seen: passkey.verified === true,
    be: passkey.synced,
    bs: passkey.backed_up === true,
    credential_id,
    public_key: coseKey(`${field}.public_key`, passkey.public_key),
    transports: passkey.transports ?? null,
    aaguid,
    name: methodNameField(`${field}.name`, passkey.name ?? '') || authenticatorName(aaguid),
    created_via: passkey.created_via ?? 'settings',
  }
}

const noAaguid = '00000000-0000-0000-0000-000000000000'

function bytesOf(field: string, text: string, [least, most]: readonly [number, number]): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < least || bytes.length > most || bytes.toString('base64url') !== text)
    throw invalidField(field, `must be ${least} to ${most} bytes in base64url`)
  return bytes
}

/** A COSE key is a map (RFC 9052). A key that is wrong in another way verifies no signature. */
function coseKey(field: string, text: string): Buffer {
  const bytes = bytesOf(field, text, [32, 2000])
  if (bytes[0]! >> 5 !== 5) throw invalidField(field, 'must be a public key in COSE format')
  return bytes
}
