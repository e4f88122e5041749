import {
  displayName,
  httpsUrl,
  identitiesOf,
  isLostPicture,
  mapped,
  rowsUnder,
  userNameOf,
  uuidOf,
} from './build-record.ts'
import { roleOf, rolesOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, memberOf, type Row, rowsIn, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/**
 * A row of the `user` table, with the user's rows of the `account` table as `accounts`. Column names can be in snake
 * case.
 */
export const betterAuth: UserSource = {
  name: 'better-auth',
  title: 'Better Auth',
  reading: [{ kind: 'jsonl' }, { kind: 'json', rowsOf: rowsUnder('users') }],
  options: { roles: rolesOption },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    if (flagOf(row, 'isAnonymous', 'is_anonymous')) return { problem: 'an anonymous user' }
    const accounts = rowsIn(row, 'accounts')
    const own = accounts.find((account) => providerOf(account) === 'credential')
    const { identities, lost } = identitiesOf(accounts.filter((account) => account !== own).map(identityOf))
    const id = textMember(row, 'id')
    const email = textMember(row, 'email')
    const userName = userNameIn(row)
    // The admin plugin stores several roles in one column.
    const role = roleOf(
      (textMember(row, 'role') ?? '').split(',').filter((name) => name && name !== 'user'),
      options,
    )
    return mapped(
      {
        id: uuidOf(id),
        external_id: uuidOf(id) ? undefined : id,
        email,
        is_verified: flagOf(row, 'emailVerified', 'email_verified'),
        display_name: displayName(textMember(row, 'name'), email),
        user_name: userNameOf(userName),
        user_type: role.user_type,
        phone: textMember(row, 'phoneNumber', 'phone_number'),
        phone_trusted: flagOf(row, 'phoneNumberVerified', 'phone_number_verified'),
        picture: httpsUrl(textMember(row, 'image')),
        created_at: timeOf(row, 'createdAt', 'created_at'),
        updated_at: timeOf(row, 'updatedAt', 'updated_at'),
        blocked: blockOf(row),
        password_hash: own && textMember(own, 'password'),
        identities,
      },
      {
        'creation time': isLostTime(row, 'createdAt', 'created_at'),
        ...lost,
        ...role.lost,
        'accounts (not in the file)': memberOf(row, 'accounts') === undefined,
        picture: isLostPicture(textMember(row, 'image')),
        'user name': userName && !userNameOf(userName),
        'second factors': flagOf(row, 'twoFactorEnabled', 'two_factor_enabled'),
      },
    )
  },
}

/** The user signs in with `username`. `displayUsername` can be any text, but usually differs from it only in case. */
function userNameIn(row: Row): string | undefined {
  const [name, shown] = [textMember(row, 'username'), textMember(row, 'displayUsername', 'display_username')]
  return shown?.toLowerCase() === name?.toLowerCase() ? shown : name
}

const providerOf = (account: Row) => textMember(account, 'providerId', 'provider_id')

const identityOf = (account: Row) => ({
  provider: providerOf(account),
  subject: textMember(account, 'accountId', 'account_id'),
  linked_at: timeOf(account, 'createdAt', 'created_at'),
})

function blockOf(row: Row) {
  if (!flagOf(row, 'banned')) return undefined
  const reason = textMember(row, 'banReason', 'ban_reason')?.slice(0, 500)
  const until = timeOf(row, 'banExpires', 'ban_expires')
  return { reason: reason ?? 'Banned in Better Auth before the import', ...(until && { until }) }
}
