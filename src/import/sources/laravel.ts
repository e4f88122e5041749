import { displayName, languageTag, mapped, rowsUnder, userNameOf } from './build-record.ts'
import { roleOf, rolesOption } from './protected-data.ts'
import { deletionTime, isLostTime, isRow, memberOf, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/**
 * A row of the starter kits' `users` table. Authenticator seeds are lost, because they are encrypted with the
 * application key.
 */
export const laravel: UserSource = {
  name: 'laravel',
  title: 'Laravel',
  reading: [{ kind: 'jsonl' }, { kind: 'json', rowsOf: rowsUnder('users') }, { kind: 'csv' }],
  options: { roles: rolesOption },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    const email = textMember(row, 'email')
    const userName = textMember(row, 'username')
    const lang = textMember(row, 'locale')
    const given = textMember(row, 'role')
    const role = roleOf(given ? [given] : [], options)
    return mapped(
      {
        external_id: textMember(row, 'id'),
        email,
        is_verified: timeOf(row, 'email_verified_at') !== undefined,
        name: textMember(row, 'first_name'),
        last_name: textMember(row, 'last_name'),
        display_name: displayName(textMember(row, 'name'), email),
        user_name: userNameOf(userName),
        user_type: role.user_type,
        phone: textMember(row, 'phone'),
        lang: languageTag(lang),
        created_at: timeOf(row, 'created_at'),
        updated_at: timeOf(row, 'updated_at'),
        deleted_at: deletionTime(row, 'deleted_at'),
        password_hash: textMember(row, 'password'),
      },
      {
        'creation time': isLostTime(row, 'created_at'),
        ...role.lost,
        'user name': userName && !userNameOf(userName),
        language: lang && !languageTag(lang),
        'second factors': memberOf(row, 'two_factor_secret'),
        picture: memberOf(row, 'profile_photo_path'),
      },
    )
  },
}
