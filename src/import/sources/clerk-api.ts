import type { GivenIdentity } from './build-record.ts'
import { memberOf, objectOf, type Row, rowsIn, textMember } from './read-row.ts'

/** Converts a user from Clerk's Backend API to the members of the CSV file. */
export const fromBackendApi = (row: Row): Row => ({
  ...row,
  ...addressesIn(row, 'email_address', 'email_addresses'),
  ...addressesIn(row, 'phone_number', 'phone_numbers'),
})

function addressesIn(row: Row, kind: string, list: string): Row {
  const all = rowsIn(row, list)
  if (all.length === 0) return {}
  const textsOf = (some: readonly Row[]) => some.flatMap((one) => textMember(one, kind) ?? [])
  const primary = all.filter((one) => memberOf(one, 'id') === memberOf(row, `primary_${kind}_id`))
  return {
    [`primary_${kind}`]: textsOf(primary)[0],
    [`verified_${list}`]: textsOf(all.filter(isVerified)),
    [`unverified_${list}`]: textsOf(all.filter((one) => !isVerified(one))),
  }
}

const isVerified = (row: Row): boolean => textMember(objectOf(row, 'verification'), 'status') === 'verified'

/** Accounts that the user has not finished connecting are not verified. */
export const externalAccounts = (row: Row): GivenIdentity[] =>
  rowsIn(row, 'external_accounts')
    .filter(isVerified)
    .map((account) => ({
      provider: textMember(account, 'provider')?.replace(/^oauth_/, ''),
      subject: textMember(account, 'provider_user_id'),
      email: textMember(account, 'email_address'),
    }))
