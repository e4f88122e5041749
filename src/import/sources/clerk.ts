import { httpsUrl, identitiesOf, isLostPicture, mapped, rowsUnder, totpOf, userNameOf } from './build-record.ts'
import { externalAccounts, fromBackendApi } from './clerk-api.ts'
import { clerkHash } from './clerk-hash.ts'
import { copiedData, isAllCopied, protectedDataOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, memberOf, objectOf, type Row, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/** The CSV file of the dashboard, which contains the password hashes, or a JSON list of users from the Backend API. */
export const clerk: UserSource = {
  name: 'clerk',
  title: 'Clerk',
  reading: [{ kind: 'csv' }, { kind: 'json', rowsOf: rowsUnder('users') }],
  options: { metadata: protectedDataOption },
  toRecord(given, options) {
    if (!isRow(given)) return { problem: 'not an object' }
    const row = fromBackendApi(given)
    const emails = listIn(row, 'verified_email_addresses', 'unverified_email_addresses', 'email_addresses')
    const phones = listIn(row, 'verified_phone_numbers', 'unverified_phone_numbers', 'phone_numbers')
    const email = textMember(row, 'primary_email_address') ?? emails[0]
    const phone = textMember(row, 'primary_phone_number') ?? phones[0]
    const userName = textMember(row, 'username')
    const hash = clerkHash(row)
    const totp = totpOf(textMember(row, 'totp_secret'))
    const { identities, lost } = identitiesOf(externalAccounts(row))
    const protectedData = { ...objectOf(row, 'public_metadata'), ...objectOf(row, 'private_metadata') }
    return mapped(
      {
        external_id: textMember(row, 'id'),
        email,
        is_verified: email !== undefined && contains(listIn(row, 'verified_email_addresses'), email),
        name: textMember(row, 'first_name'),
        last_name: textMember(row, 'last_name'),
        user_name: userNameOf(userName),
        phone,
        phone_trusted: phone !== undefined && contains(listIn(row, 'verified_phone_numbers'), phone) ? true : undefined,
        picture: flagOf(row, 'has_image') === false ? undefined : httpsUrl(textMember(row, 'image_url')),
        created_at: timeOf(row, 'created_at'),
        updated_at: timeOf(row, 'updated_at'),
        blocked: flagOf(row, 'banned') ? { reason: 'Banned in Clerk before the import' } : undefined,
        metadata: { ...copiedData(protectedData, options.metadata), ...objectOf(row, 'unsafe_metadata') },
        password_hash: hash,
        identities,
        totp,
      },
      {
        'creation time': isLostTime(row, 'created_at'),
        ...lost,
        'password (not in the file)': flagOf(row, 'password_enabled') && !memberOf(row, 'password_digest'),
        'second factors (not in the file)': flagOf(row, 'two_factor_enabled') && !memberOf(row, 'totp_secret'),
        'password hash of an unsupported form': !hash && memberOf(row, 'password_digest'),
        'other email addresses': emails.some((other) => !contains([email ?? ''], other)),
        'other phone numbers': phones.some((other) => !contains([phone ?? ''], other)),
        picture: isLostPicture(textMember(row, 'image_url')),
        'user name': userName && !userNameOf(userName),
        'public and private metadata': !isAllCopied(protectedData, options.metadata),
        'authenticators with other parameters': !totp && memberOf(row, 'totp_secret'),
      },
    )
  },
}

/** Several values in a cell are separated by a vertical bar, or by a comma or semicolon in older files. */
const listIn = (row: Row, ...names: string[]): string[] =>
  names.flatMap((name) => {
    const value = memberOf(row, name)
    const texts = Array.isArray(value) ? value : (textMember(row, name) ?? '').split(/[|,;]/)
    return texts.flatMap((text) => (typeof text === 'string' && text.trim() ? [text.trim()] : []))
  })

const contains = (list: readonly string[], text: string): boolean =>
  list.some((one) => one.toLowerCase() === text.toLowerCase())
