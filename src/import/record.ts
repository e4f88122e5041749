import Type, { type Static } from 'typebox'
import { compileValidator } from '../http/parsing/validation.ts'
import type { FieldProblem } from '../lib/errors.ts'

const text = (description: string, maxLength: number, example?: string) =>
  Type.String({ description, maxLength, ...(example !== undefined && { examples: [example] }) })

const time = (description: string) =>
  Type.String({ description, maxLength: 40, examples: ['2026-11-20T17:48:31.705Z'] })

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const Identity = Type.Object(
  {
    provider: text('google, github, facebook, apple, discord, microsoft or oidc', 32, 'google'),
    subject: text("the user's id at the provider", 255, '110169484474386276334'),
    issuer: Type.Optional(text('default: the issuer of the configured provider', 255, 'https://accounts.google.com')),
    email: Type.Optional(orNull(text('email address at the provider', 254))),
    name: Type.Optional(text('name at the provider', 200)),
    picture: Type.Optional(text('URL of a picture at the provider', 2048)),
    linked_at: Type.Optional(time('default: `created_at` of the user')),
    last_used_at: Type.Optional(time('default: `linked_at`')),
  },
  { additionalProperties: false },
)

const base64url = (description: string, maxLength: number) =>
  Type.String({ description, maxLength, pattern: '^[A-Za-z0-9_-]+$' })

const Passkey = Type.Object(
  {
    rp_id: text('the domain of the passkey; passkeys for another domain than WEBAUTHN_RP_ID are not imported', 253),
    credential_id: base64url('base64url', 1400),
    public_key: base64url('in COSE format, base64url', 2800),
    synced: Type.Boolean({ description: 'whether the authenticator can keep a copy on other devices' }),
    backed_up: Type.Optional(Type.Boolean({ description: 'whether there is a copy; default: false' })),
    verified: Type.Optional(
      Type.Boolean({ description: 'whether the authenticator has verified the user; default: false' }),
    ),
    discoverable: Type.Optional(Type.Boolean({ description: 'default: false' })),
    sign_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'default: 0' })),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
    aaguid: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        description: 'model of the authenticator',
      }),
    ),
    name: Type.Optional(text('default: the name of the authenticator', 256)),
    created_via: Type.Optional(
      Type.Unsafe<'settings' | 'registration' | 'upgrade' | 'recovery'>({
        type: 'string',
        enum: ['settings', 'registration', 'upgrade', 'recovery'],
        description: 'default: settings',
      }),
    ),
    created_at: Type.Optional(time('default: `created_at` of the user')),
    last_used_at: Type.Optional(orNull(time('last use of the passkey'))),
  },
  { additionalProperties: false },
)

const Totp = Type.Object(
  {
    secret: text('the seed in base32 (SHA-1, six digits, 30 seconds)', 128, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
    created_at: Type.Optional(time('default: `created_at` of the user')),
    last_used_at: Type.Optional(orNull(time('last use of the authenticator'))),
  },
  { additionalProperties: false },
)

const Consent = Type.Object(
  {
    privacy_region: Type.Optional(text('eu, ca, eu_ca or global', 16, 'eu')),
    gdpr_consent: Type.Optional(Type.Boolean()),
    gdpr_consent_at: Type.Optional(orNull(time('time of the consent or its withdrawal'))),
    gdpr_consent_version: Type.Optional(orNull(text('version of the terms', 32, '2026-05'))),
    ccpa_applies: Type.Optional(Type.Boolean()),
    ccpa_opt_out: Type.Optional(Type.Boolean()),
    ccpa_opt_out_at: Type.Optional(orNull(time('time of the opt-out or its withdrawal'))),
  },
  { additionalProperties: false },
)

const Block = Type.Object(
  {
    reason: text('shown only to administrators', 500, 'Spam'),
    since: Type.Optional(time('default: time of the import')),
    until: Type.Optional(orNull(time('null if the block has no end'))),
  },
  { additionalProperties: false },
)

const roleName = 'role of an application, such as billing:accountant'

const GivenRole = Type.Union(
  [
    text(roleName, 100, 'billing:accountant'),
    Type.Object(
      {
        role: text(roleName, 100, 'billing:accountant'),
        until: Type.Optional(orNull(time('time at which the user loses the role'))),
      },
      { additionalProperties: false },
    ),
  ],
  { description: 'name of the role, or an object with an end' },
)

/** One line in Wardenry's format. Absent members get the default values of new users. */
export const RecordSchema = Type.Object(
  {
    id: Type.Optional(
      text(
        'UUID; any other id becomes the `external_id` if none is given; if absent, the id is derived from `external_id` or `email`',
        255,
        '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf',
      ),
    ),
    external_id: Type.Optional(
      orNull(text('id of the user in the previous system', 255, 'auth0|5f7c8ec7c33c6c004bbafe82')),
    ),
    email: text('email address', 254, 'ada@example.com'),
    name: Type.Optional(text('first name', 400, 'Ada')),
    last_name: Type.Optional(text('last name', 400, 'Lovelace')),
    display_name: Type.Optional(orNull(text('name to display', 400))),
    user_name: Type.Optional(text('if absent, a user name is created', 128, 'ada')),
    user_type: Type.Optional(text('role; default: customer', 100, 'writer')),
    title: Type.Optional(orNull(text('form of address', 400, 'Dr.'))),
    gender: Type.Optional(orNull(text('gender', 128))),
    dob: Type.Optional(orNull(text('date of birth', 10, '1990-12-31'))),
    phone: Type.Optional(orNull(text('international format', 64, '+447700900123'))),
    phone_trusted: Type.Optional(
      Type.Boolean({ description: 'whether the user can sign in with the phone number; default: false' }),
    ),
    picture: Type.Optional(text('https URL', 2048)),
    lang: Type.Optional(orNull(text('BCP 47 tag of the language for emails', 35, 'es-MX'))),
    tmz: Type.Optional(orNull(text('time zone', 64, 'Europe/Berlin'))),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    is_verified: Type.Optional(Type.Boolean({ description: 'whether the email address is verified; default: false' })),
    two_factor: Type.Optional(
      Type.Boolean({ description: 'whether a second factor is required; default: whether `totp` is given' }),
    ),
    first_time: Type.Optional(Type.Boolean({ description: 'default: true' })),
    created_at: Type.Optional(time('default: time of the import')),
    updated_at: Type.Optional(time('default: `created_at`')),
    deleted_at: Type.Optional(orNull(time('time of the deletion if the user is deleted'))),
    blocked: Type.Optional(orNull(Block)),
    password_hash: Type.Optional(orNull(text('a hash in one of the supported formats', 2048))),
    identities: Type.Optional(Type.Array(Identity, { maxItems: 20 })),
    passkeys: Type.Optional(Type.Array(Passkey, { maxItems: 20 })),
    roles: Type.Optional(Type.Array(GivenRole, { maxItems: 100, description: 'application roles' })),
    totp: Type.Optional(Type.Array(Totp, { maxItems: 5 })),
    consent: Type.Optional(Consent),
  },
  { title: 'ImportRecord', additionalProperties: true },
)

export type ImportRecord = Static<typeof RecordSchema>

const validate = compileValidator({ schema: RecordSchema })

export const recordMembers: readonly string[] = Object.keys(RecordSchema.properties)

/** Throws VALIDATION_ERROR. The problems name the members but contain no values. */
export function readRecord(value: Readonly<Record<string, unknown>>): ImportRecord {
  const record = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(name, one)]))
  const { error } = validate(record)
  if (error) throw error
  return record as ImportRecord
}

/** Other systems write ids and phone numbers as numbers, too. */
function withTexts(name: string, value: unknown): unknown {
  if (typeof value === 'number') return textMembers.has(name) ? String(value) : value
  if (name !== 'identities' || !Array.isArray(value)) return value
  return value.map((identity) =>
    typeof identity?.subject === 'number' ? { ...identity, subject: String(identity.subject) } : identity,
  )
}

const textMembers: ReadonlySet<string> = new Set([
  'id',
  'external_id',
  'name',
  'last_name',
  'display_name',
  'user_name',
  'phone',
  'title',
])

export const recordProblem = (problems: readonly FieldProblem[]): string =>
  problems.map(({ field, message }) => `${field === 'body' ? 'the record' : field} ${message}`).join('; ')
