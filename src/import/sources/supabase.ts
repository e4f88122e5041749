import { blockedIf, httpsUrl, identitiesOf, isLostPicture, mapped, rowsUnder, totpOf, uuidOf } from './build-record.ts'
import { copiedData, isAllCopied, protectedDataOption, roleOf, rolesOption } from './protected-data.ts'
import {
  deletionTime,
  flagOf,
  isLostTime,
  isRow,
  memberOf,
  objectOf,
  type Row,
  rowsIn,
  textMember,
  timeOf,
} from './read-row.ts'
import type { UserSource } from './source.ts'

/** A row of `auth.users`, with the rows of `auth.identities` and `auth.mfa_factors` if they were selected too. */
export const supabase: UserSource = {
  name: 'supabase',
  title: 'Supabase Auth',
  reading: [{ kind: 'jsonl' }, { kind: 'csv' }, { kind: 'json', rowsOf: rowsUnder('users') }],
  options: { metadata: protectedDataOption, roles: rolesOption },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    if (flagOf(row, 'is_anonymous')) return { problem: 'an anonymous user' }
    const email = textMember(row, 'email')
    // Supabase replaces the address of a deleted user with a hash.
    if (memberOf(row, 'deleted_at') && email && !email.includes('@')) return { problem: 'a deleted user' }
    const own = objectOf(row, 'raw_user_meta_data')
    const { provider, providers, ...appMetadata } = objectOf(row, 'raw_app_meta_data')
    const external = rowsIn(row, 'identities').filter(
      (identity) => !['email', 'phone'].includes(textMember(identity, 'provider') ?? ''),
    )
    const { identities, lost } = identitiesOf(external.map(identityOf))
    const factors = rowsIn(row, 'mfa_factors').filter((factor) => textMember(factor, 'status') === 'verified')
    const totp = factors.flatMap((factor) => totpOf(textMember(factor, 'secret')) ?? [])
    const role = textMember(appMetadata, 'role')
    const kept = roleOf(role ? [role] : [], options)
    return mapped(
      {
        id: uuidOf(textMember(row, 'id')),
        email,
        is_verified: timeOf(row, 'email_confirmed_at') !== undefined,
        display_name: textMember(own, 'full_name', 'name', 'display_name'),
        user_type: kept.user_type,
        phone: phoneOf(row),
        phone_trusted: timeOf(row, 'phone_confirmed_at') ? true : undefined,
        picture: httpsUrl(textMember(own, 'avatar_url', 'picture')),
        created_at: timeOf(row, 'created_at'),
        updated_at: timeOf(row, 'updated_at'),
        deleted_at: deletionTime(row, 'deleted_at'),
        blocked: blockOf(row),
        metadata: { ...copiedData(appMetadata, options.metadata), ...withoutProviderClaims(own) },
        password_hash: textMember(row, 'encrypted_password'),
        identities,
        totp,
      },
      {
        'creation time': isLostTime(row, 'created_at'),
        ...lost,
        ...kept.lost,
        // The row does not contain the identities if only `auth.users` was selected.
        'identities (not in the file)':
          memberOf(row, 'identities') === undefined && hasOtherProvider(providers ?? provider),
        picture: isLostPicture(textMember(own, 'avatar_url', 'picture')),
        'app metadata': !isAllCopied(withoutRole(appMetadata), options.metadata),
        'second factors': factors.length > totp.length,
      },
    )
  },
}

/** The name of a role that is not kept is reported on its own. */
function withoutRole(appMetadata: Row): Row {
  const { role: _, ...others } = appMetadata
  return textMember(appMetadata, 'role') === undefined ? appMetadata : others
}

const identityOf = (identity: Row) => ({
  provider: textMember(identity, 'provider'),
  subject: textMember(identity, 'provider_id') ?? textMember(objectOf(identity, 'identity_data'), 'sub'),
  email: textMember(identity, 'email') ?? textMember(objectOf(identity, 'identity_data'), 'email'),
  linked_at: timeOf(identity, 'created_at'),
})

const hasOtherProvider = (providers: unknown): boolean =>
  [providers].flat().some((provider) => typeof provider === 'string' && !['email', 'phone'].includes(provider))

/** Supabase stores phone numbers in international format without the plus sign. */
function phoneOf(row: Row): string | undefined {
  const digits = textMember(row, 'phone')
  return digits && /^\d/.test(digits) ? `+${digits}` : digits
}

/** A ban without an end can be stored as `infinity`. */
function blockOf(row: Row) {
  const block = blockedIf(textMember(row, 'banned_until') !== undefined, 'Supabase')
  const until = timeOf(row, 'banned_until')
  return block && until ? { ...block, until } : block
}

/** Claims that Supabase copied from a provider at sign-in. */
const providerClaims = ['sub', 'iss', 'provider_id', 'email', 'email_verified', 'phone_verified']

const withoutProviderClaims = (metadata: Row): Row =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !providerClaims.includes(name)))
