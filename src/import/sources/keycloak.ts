import { keycloakHash } from '../../passwords/imported/read-hash.ts'
import { blockedIf, identitiesOf, languageTag, mapped, rowsUnder, totpOf, userNameOf, uuidOf } from './build-record.ts'
import { copiedData, isAllCopied, protectedDataOption, roleOf, rolesOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, memberOf, objectOf, type Row, rowsIn, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/** The users of a realm, as `kc.sh export` writes them. Each credential contains its data as JSON text. */
export const keycloak: UserSource = {
  name: 'keycloak',
  title: 'Keycloak',
  reading: [{ kind: 'json', rowsOf: rowsUnder('users', 'federatedUsers') }],
  options: { metadata: protectedDataOption, roles: rolesOption },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    if (textMember(row, 'serviceAccountClientId')) return { problem: 'a service account' }
    const credentials = rowsIn(row, 'credentials')
    const ofType = (type: string) => credentials.filter((credential) => textMember(credential, 'type') === type)
    const hashes = ofType('password').map(hashOf)
    const totp = ofType('otp').flatMap((credential) => seedOf(credential) ?? [])
    const { locale, ...attributes } = attributesOf(row)
    const lang = typeof locale === 'string' ? languageTag(locale) : undefined
    const { identities, lost } = identitiesOf(rowsIn(row, 'federatedIdentities').map(identityOf))
    const role = roleOf(realmRoles(row), options)
    const userName = textMember(row, 'username')
    const isAddress = userName?.includes('@')
    return mapped(
      {
        id: uuidOf(textMember(row, 'id')),
        external_id: uuidOf(textMember(row, 'id')) ? undefined : textMember(row, 'id'),
        email: textMember(row, 'email'),
        is_verified: flagOf(row, 'emailVerified'),
        name: textMember(row, 'firstName'),
        last_name: textMember(row, 'lastName'),
        user_name: isAddress ? undefined : userNameOf(userName),
        user_type: role.user_type,
        lang,
        created_at: timeOf(row, 'createdTimestamp'),
        blocked: blockedIf(flagOf(row, 'enabled') === false, 'Keycloak'),
        metadata: copiedData(attributes, options.metadata),
        password_hash: hashes[0],
        identities,
        totp,
      },
      {
        'creation time': isLostTime(row, 'createdTimestamp'),
        ...lost,
        ...role.lost,
        'password hash of an unsupported form': hashes.length > 0 && !hashes[0],
        'user name': !isAddress && userName && !userNameOf(userName),
        language: locale && !lang,
        'password in a user federation': hashes.length === 0 && memberOf(row, 'federationLink'),
        attributes: !isAllCopied(attributes, options.metadata),
        'client roles': memberOf(row, 'clientRoles'),
        groups: memberOf(row, 'groups'),
        'authenticators with other parameters': ofType('otp').length > totp.length,
        passkeys: credentials.some((credential) => textMember(credential, 'type')?.startsWith('webauthn')),
        'recovery codes': ofType('recovery-authn-codes'),
      },
    )
  },
}

function hashOf(credential: Row): string | undefined {
  const [secret, data] = [objectOf(credential, 'secretData'), objectOf(credential, 'credentialData')]
  const parameters = Object.entries(objectOf(data, 'additionalParameters')).map(([name, value]) => [
    name,
    [value].flat().map(String),
  ])
  try {
    return keycloakHash({
      algorithm: textMember(data, 'algorithm') ?? '',
      value: textMember(secret, 'value') ?? '',
      salt: textMember(secret, 'salt') ?? '',
      iterations: Number(textMember(data, 'hashIterations')),
      parameters: Object.fromEntries(parameters),
    })
  } catch {
    return undefined
  }
}

/** The seed is the secret's text as bytes, unless the credential specifies an encoding. */
function seedOf(credential: Row) {
  const data = objectOf(credential, 'credentialData')
  const isSupported =
    textMember(data, 'subType') === 'totp' &&
    (textMember(data, 'digits') ?? '6') === '6' &&
    (textMember(data, 'period') ?? '30') === '30' &&
    (textMember(data, 'algorithm') ?? 'HmacSHA1') === 'HmacSHA1'
  const secret = textMember(objectOf(credential, 'secretData'), 'value')
  if (!isSupported || !secret) return undefined
  const encoding = textMember(data, 'secretEncoding')
  if (!encoding) return totpOf(base32(Buffer.from(secret)))
  return encoding.toUpperCase() === 'BASE32' ? totpOf(secret) : undefined
}

/** Each attribute is a list of strings. */
const attributesOf = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(objectOf(row, 'attributes')).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 1 ? value[0] : value,
    ]),
  )

/** Each provider has an alias in the realm. By default, the alias is the provider's name. */
const identityOf = (identity: Row) => ({
  provider: textMember(identity, 'identityProvider'),
  subject: textMember(identity, 'userId'),
})

/** Every user has these roles. */
const everyUsers = /^(default-roles-.*|offline_access|uma_authorization)$/

function realmRoles(row: Row): string[] {
  const roles = memberOf(row, 'realmRoles')
  return (Array.isArray(roles) ? roles : []).filter((role) => typeof role === 'string' && !everyUsers.test(role))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, section 6, without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
