import { blockedIf, displayName, mapped, rowsUnder, userNameOf } from './build-record.ts'
import { roleOf, rolesOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, memberOf, type Row, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/** The output of `wp user list`. WordPress does not store whether an email address is verified. */
export const wordpress: UserSource = {
  name: 'wordpress',
  title: 'WordPress',
  reading: [{ kind: 'json', rowsOf: rowsUnder('users') }, { kind: 'csv' }],
  options: { roles: rolesOption, verified: '`yes` if the email addresses are verified; default: no' },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    const userName = textMember(row, 'user_login')
    const email = textMember(row, 'user_email')
    const role = roleOf(rolesIn(memberOf(row, 'roles')), options)
    return mapped(
      {
        external_id: textMember(row, 'ID'),
        email,
        is_verified: flagOf(options, 'verified') ?? false,
        name: nameIn(row, 'first_name'),
        last_name: nameIn(row, 'last_name'),
        display_name: displayName(nameIn(row, 'display_name'), userName),
        user_name: userNameOf(userName),
        user_type: role.user_type,
        created_at: timeOf(row, 'user_registered'),
        blocked: blockedIf(flagOf(row, 'spam') || flagOf(row, 'deleted'), 'WordPress'),
        password_hash: textMember(row, 'user_pass'),
      },
      {
        'creation time': isLostTime(row, 'user_registered'),
        ...role.lost,
        'user name': userName && !userNameOf(userName),
        website: textMember(row, 'user_url'),
      },
    )
  },
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** WordPress escapes these characters before it stores a name. */
const nameIn = (row: Row, member: string): string | undefined =>
  textMember(row, member)?.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity)

/** The default roles of WordPress and WooCommerce, which grant no rights. */
const ordinary = ['subscriber', 'customer']

const rolesIn = (roles: unknown): string[] =>
  (typeof roles === 'string' ? roles.split(',') : Array.isArray(roles) ? roles : [])
    .map((role) => (typeof role === 'string' ? role.trim() : ''))
    .filter((role) => role && !ordinary.includes(role))
