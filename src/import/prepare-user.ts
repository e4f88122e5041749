import { readReason } from '../admin/block-user.ts'
import type { Context, ImportMember } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { keyedHash } from '../lib/hash.ts'
import { looksLikeId, newUserName } from '../lib/ids.ts'
import { readAll, type TryRead } from '../lib/read-all.ts'
import { pastTimeOf, timeField } from '../lib/time-field.ts'
import type { UserBlock } from '../users/block-queries.ts'
import { emailField, lineField, userTypeField } from '../users/fields.ts'
import { readChanges } from '../users/read-changes.ts'
import type { PasskeyRow } from '../webauthn/queries.ts'
import { prepareIdentities } from './prepare-identities.ts'
import { preparePasskeys } from './prepare-passkeys.ts'
import { type ImportedRole, prepareRoles } from './prepare-roles.ts'
import type { IdentityRow, ImportedUserRow } from './queries.ts'
import { type ImportRecord, recordMembers } from './record.ts'

export interface PreparedUser {
  row: ImportedUserRow
  identities: IdentityRow[]
  passkeys: PasskeyRow[]
  block: UserBlock | undefined
  grants: ImportedRole[]
  /** The values of members that modules store, by member name. */
  ofModules: ReadonlyMap<string, unknown>
  /** The hash from the record, not yet converted. `hook` if the previous system checks the password. */
  passwordHash: string | undefined
  lost: string[]
}

export interface ImportRules {
  /** Maps roles in the file to roles in this service. `*` matches all other roles. */
  roles: ReadonlyMap<string, string>
  allowSuperadmins: boolean
  /** Whether users get application roles that list a sensitive permission. */
  allowSensitiveRoles: boolean
  /** Whether the previous system checks the passwords of users without a hash (PASSWORD_HOOK_URL). */
  passwordHook: boolean
}

/** Applies the same rules as registration. Throws VALIDATION_ERROR with all problems found. */
export function prepareUser(ctx: Context, record: ImportRecord, rules: ImportRules): PreparedUser {
  return readAll((attempt) => {
    const row = attempt(() => readRow(ctx, record, rules, attempt))
    if (!row) return undefined as never
    const { members, lost } = membersOfModules(ctx, record)
    for (const [member, value] of members) attempt(() => member.check(ctx, value))
    const social = attempt(() => prepareIdentities(ctx.config, record.identities ?? [], row))
    const own = attempt(() => preparePasskeys(ctx, record, row))
    const hasFactor = members.some(([{ isFactor }]) => isFactor)
    return {
      row: { ...row, two_factor: record.two_factor ?? hasFactor },
      identities: social?.identities ?? [],
      passkeys: own?.passkeys ?? [],
      block: attempt(() => blockOf(ctx, record, row.id)),
      grants: prepareRoles(ctx, record, attempt),
      ofModules: new Map(members.map(([{ name }, value]) => [name, value])),
      passwordHash: record.password_hash ?? (rules.passwordHook ? 'hook' : undefined),
      lost: [
        ...lost,
        ...(social?.lost ?? []),
        ...(own?.lost ?? []),
        ...(record.picture && !row.picture ? ['uploaded picture'] : []),
      ],
    }
  })
}

function readRow(
  ctx: Context,
  record: ImportRecord,
  rules: ImportRules,
  attempt: TryRead,
): ImportedUserRow | undefined {
  const now = ctx.clock.now()
  const email = attempt(() => emailField('email', record.email))
  const user_type = attempt(() => roleOf(ctx, record.user_type, rules))
  const created = attempt(() => pastTimeOf('created_at', record.created_at, now)) ?? ctx.clock.date()
  const updated = attempt(() => pastTimeOf('updated_at', record.updated_at, now))
  const deleted = attempt(() => pastTimeOf('deleted_at', record.deleted_at, now))
  const external = attempt(() => externalIdOf(record))
  const changes = attempt(() => readChanges(ctx, profileOf(record)))
  if (email === undefined || user_type === undefined || changes === undefined) return undefined
  return {
    id: idOf(ctx, record.id, external ?? email),
    external_id: external ?? null,
    email,
    user_name: changes.user_name ?? newUserName(),
    phone: changes.phone ?? null,
    phone_trusted: record.phone_trusted === true,
    password_hash: null,
    user_type,
    name: changes.name ?? '',
    last_name: changes.last_name ?? '',
    display_name: changes.display_name ?? null,
    title: changes.title ?? null,
    gender: changes.gender ?? null,
    dob: changes.dob ?? null,
    picture: changes.picture ?? '',
    lang: changes.lang ?? null,
    tmz: changes.tmz ?? null,
    metadata: changes.metadata ?? {},
    is_verified: record.is_verified === true,
    two_factor: false,
    first_time: record.first_time !== false,
    created_at: created,
    updated_at: updated ?? created,
    deleted_at: deleted ?? null,
  }
}

const profileOf = (record: ImportRecord) => ({
  name: record.name,
  last_name: record.last_name,
  display_name: record.display_name ?? undefined,
  user_name: record.user_name,
  title: record.title ?? undefined,
  gender: record.gender ?? undefined,
  dob: record.dob ?? undefined,
  phone: record.phone ?? undefined,
  picture: record.picture,
  lang: record.lang ?? undefined,
  tmz: record.tmz ?? undefined,
  metadata: record.metadata,
})

function externalIdOf({ id, external_id }: ImportRecord): string | undefined {
  const given = external_id ?? (id !== undefined && !looksLikeId(id.toLowerCase()) ? id : undefined)
  return given ? lineField('external_id', given, 255) || undefined : undefined
}

/** A record gets the same id in every run, so a repeated import changes nothing. The hash does not reveal `text`. */
function idOf({ config }: Context, given: string | undefined, text: string): string {
  const id = given?.toLowerCase()
  if (id !== undefined && looksLikeId(id)) return id
  const hex = Buffer.from(keyedHash(config.AUTH_SECRET, 'imported-id', text), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function roleOf(ctx: Context, given: string | undefined, { roles, allowSuperadmins }: ImportRules): string {
  const name = given ?? 'customer'
  const role = userTypeField('user_type', roles.get(name) ?? (given && roles.get('*')) ?? name, ctx)
  if (role === 'superadmin' && !allowSuperadmins)
    throw invalidField('user_type', 'is superadmin, which requires --allow-superadmins')
  return role
}

/** Blocks that have ended are not imported. */
function blockOf(ctx: Context, { blocked }: ImportRecord, user_id: string): UserBlock | undefined {
  if (!blocked) return undefined
  const since = pastTimeOf('blocked.since', blocked.since, ctx.clock.now()) ?? ctx.clock.date()
  const until = timeField('blocked.until', blocked.until) ?? null
  if (until && until.getTime() <= Math.max(ctx.clock.now(), since.getTime())) return undefined
  return { user_id, since, until, reason: readReason(blocked.reason) }
}

function membersOfModules({ modules }: Context, record: ImportRecord) {
  const members: [ImportMember, unknown][] = []
  const lost: string[] = []
  for (const [name, value] of Object.entries(record)) {
    if (coreMembers.has(name) || isEmpty(value)) continue
    const member = modules.importMembers().find((one) => one.name === name)
    if (member) members.push([member, value])
    else lost.push(recordMembers.includes(name) ? `${name} (module not installed)` : 'unknown member')
  }
  return { members, lost }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const membersStoredByModules = ['totp', 'consent']
const coreMembers: ReadonlySet<string> = new Set(recordMembers.filter((name) => !membersStoredByModules.includes(name)))
