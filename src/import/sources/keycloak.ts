import { keycloakHash } from '../../passwords/imported/read-hash.ts'
import { blockedIf, identitiesOf, languageTag, mapped, rowsUnder, totpOf, userNameOf, uuidOf } from './build-record.ts'
import { copiedData, isAllCopied, protectedDataOption, roleOf, rolesOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, memberOf, objectOf, type Row, rowsIn, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/** The users of a realm, as `kc.sh export` writes them. */
export const keycloak: UserSource = {
  name: 'keycloak',
  title: 'Keycloak',
  reading: [{ kind: 'json', rowsOf: rowsUnder('users', 'federatedUsers'), problemOf: problemOfRealms }],
  options: { metadata: protectedDataOption, roles: rolesOption },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    if (textMember(row, 'serviceAccountClientId')) return { problem: 'a service account' }
    const credentials = rowsIn(row, 'credentials').map(credentialOf)
    const ofType = (type: string) => credentials.filter((credential) => credential.type === type)
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
        'password hash of an unsupported form': hashes.length > 0 && !hashes[0] && !ofType('password')[0]?.isPlainText,
        'password in plain text': !hashes[0] && ofType('password')[0]?.isPlainText,
        'user name': !isAddress && userName && !userNameOf(userName),
        language: locale && !lang,
        'password in a user federation': hashes.length === 0 && memberOf(row, 'federationLink'),
        attributes: !isAllCopied(attributes, options.metadata),
        'client roles': memberOf(row, 'clientRoles'),
        groups: memberOf(row, 'groups'),
        'authenticators with other parameters': ofType('otp').length > totp.length,
        passkeys: credentials.some(({ type }) => type?.startsWith('webauthn')),
        'recovery codes': ofType('recovery-authn-codes'),
      },
    )
  },
}

interface Credential {
  type: string | undefined
  secret: Row
  data: Row
  isPlainText: boolean
}

/**
 * A credential contains its data as JSON text. Before version 8, Keycloak wrote the data as members of the credential,
 * and called an authenticator `totp`. The oldest versions named no algorithm for passwords, or HmacSHA1.
 */
function credentialOf(credential: Row): Credential {
  const type = textMember(credential, 'type')
  const [secret, data] = [objectOf(credential, 'secretData'), objectOf(credential, 'credentialData')]
  const value = textMember(credential, 'hashedSaltedValue')
  const isPlainText = textMember(credential, 'value') !== undefined
  if (!value) return { type, secret, data, isPlainText }
  const old = { value, salt: textMember(credential, 'salt') }
  if (type === 'totp' || type === 'hotp')
    return { type: 'otp', secret: old, data: { ...credential, subType: type }, isPlainText }
  const algorithm = textMember(credential, 'algorithm') ?? 'HmacSHA1'
  const known = algorithm === 'HmacSHA1' ? 'pbkdf2' : algorithm
  return { type, secret: old, data: { ...credential, algorithm: known }, isPlainText }
}

/** An export of all realms is a list of realms. Users of different realms are different people. */
function problemOfRealms(document: unknown): string | undefined {
  const realms = (Array.isArray(document) ? document : []).filter(isRow).map((realm) => textMember(realm, 'realm'))
  const names = realms.filter((name) => name !== undefined)
  if (names.length === 0) return undefined
  return `the file contains realms (${names.join(', ')}): export one realm with kc.sh export --realm <name>`
}

function hashOf({ secret, data }: Credential): string | undefined {
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
function seedOf({ secret: given, data }: Credential) {
  const isSupported =
    textMember(data, 'subType') === 'totp' &&
    (textMember(data, 'digits') ?? '6') === '6' &&
    (textMember(data, 'period') ?? '30') === '30' &&
    (textMember(data, 'algorithm') ?? 'HmacSHA1') === 'HmacSHA1'
  const secret = textMember(given, 'value')
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
