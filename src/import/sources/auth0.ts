import {
  blockedIf,
  displayName,
  httpsUrl,
  identitiesOf,
  isLostPicture,
  languageTag,
  mapped,
  rowsUnder,
  totpOf,
  userNameOf,
} from './build-record.ts'
import { copiedData, isAllCopied, protectedDataOption, roleOf, rolesOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, memberOf, objectOf, type Row, rowsIn, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/** A row of a user export, of the password hash export, or of both merged. Also accepts the schema of bulk imports. */
export const auth0: UserSource = {
  name: 'auth0',
  title: 'Auth0',
  reading: [{ kind: 'jsonl' }, { kind: 'json', rowsOf: rowsUnder('users') }],
  options: { metadata: protectedDataOption, roles: rolesOption },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    const email = textMember(row, 'email')
    const appMetadata = objectOf(row, 'app_metadata')
    const social = rowsIn(row, 'identities').filter((identity) => textMember(identity, 'provider') !== 'auth0')
    const { identities, lost } = identitiesOf(
      social.map((identity) => ({
        provider: textMember(identity, 'provider'),
        subject: textMember(identity, 'user_id'),
      })),
    )
    const userName = textMember(row, 'username')
    const lang = textMember(row, 'locale')
    const role = roleOf(rolesIn(appMetadata), options)
    const hash = hashOf(row)
    const totp = totpOf(seedOf(row))
    return mapped(
      {
        external_id: idOf(row),
        email,
        is_verified: flagOf(row, 'email_verified'),
        name: textMember(row, 'given_name'),
        last_name: textMember(row, 'family_name'),
        display_name: displayName(textMember(row, 'name'), email),
        user_name: userNameOf(userName),
        user_type: role.user_type,
        phone: textMember(row, 'phone_number'),
        phone_trusted: flagOf(row, 'phone_verified'),
        picture: httpsUrl(textMember(row, 'picture')),
        lang: languageTag(lang),
        created_at: timeOf(row, 'created_at'),
        updated_at: timeOf(row, 'updated_at'),
        blocked: blockedIf(flagOf(row, 'blocked'), 'Auth0'),
        metadata: { ...copiedData(appMetadata, options.metadata), ...objectOf(row, 'user_metadata') },
        password_hash: hash,
        identities,
        totp,
      },
      {
        'creation time': isLostTime(row, 'created_at'),
        ...lost,
        ...role.lost,
        'password hash of an unsupported form': !hash && memberOf(row, 'custom_password_hash'),
        'user name': userName && !userNameOf(userName),
        language: lang && !languageTag(lang),
        picture: isLostPicture(textMember(row, 'picture')),
        'app metadata': !isAllCopied(withoutRoles(appMetadata), options.metadata),
        'second factors': rowsIn(row, 'mfa_factors').length > (totp ? 1 : 0) || memberOf(row, 'multifactor'),
      },
    )
  },
}

/** The password hash export and files for bulk imports contain the id without the prefix of the database connection. */
function idOf(row: Row): string | undefined {
  const id = textMember(objectOf(row, '_id'), '$oid') ?? textMember(objectOf(row, '_ID'), '$oid')
  const given = textMember(row, 'user_id', 'Id') ?? id
  return given && !given.includes('|') ? `auth0|${given}` : given
}

function hashOf(row: Row): string | undefined {
  const custom = objectOf(row, 'custom_password_hash')
  const isUtf8 = (textMember(objectOf(custom, 'password'), 'encoding') ?? 'utf8') === 'utf8'
  const isText = isUtf8 && ['bcrypt', 'argon2', 'pbkdf2'].includes(textMember(custom, 'algorithm') ?? '')
  return (
    textMember(row, 'passwordHash', 'password_hash') ??
    (isText ? textMember(objectOf(custom, 'hash'), 'value') : undefined)
  )
}

const seedOf = (row: Row): string | undefined =>
  rowsIn(row, 'mfa_factors').flatMap((factor) => textMember(objectOf(factor, 'totp'), 'secret') ?? [])[0]

/** Names of roles that are not kept are reported on their own. */
function withoutRoles(appMetadata: Row): Row {
  const { roles, ...others } = appMetadata
  return Array.isArray(roles) && roles.every((role) => typeof role === 'string') ? others : appMetadata
}

const rolesIn = (appMetadata: Row): string[] => {
  const roles = memberOf(appMetadata, 'roles')
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : []
}
