import Type from 'typebox'
import type { ModuleColumn, ModuleState } from '../../context.ts'
import { FormToken, LinkQuery, linkText } from '../../email-addresses/schemas.ts'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  namedSchema,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../../http/replies/schemas.ts'
import { OneTimeTokenText } from '../../one-time-tokens/schemas.ts'
import { CurrentPassword } from '../../passwords/schemas.ts'
import { exportMembers, membersOfModules } from '../../profile/schemas.ts'
import { regions } from './status.ts'

export const RegionSchema = Type.Enum(regions)

export const privacyColumns: readonly ModuleColumn[] = [
  { name: 'gdpr_consent', unset: false, schema: Type.Boolean() },
  { name: 'gdpr_consent_at', unset: null, schema: NullableTimestamp },
  { name: 'gdpr_consent_version', unset: null, schema: NullableString },
  { name: 'ccpa_applies', unset: false, schema: Type.Boolean() },
  { name: 'ccpa_opt_out', unset: false, schema: Type.Boolean() },
  { name: 'ccpa_opt_out_at', unset: null, schema: NullableTimestamp },
  {
    name: 'privacy_region',
    unset: 'global',
    schema: RegionSchema,
    filter: {
      schema: { type: 'string', enum: ['eu', 'ca', 'eu_ca', 'global'], description: 'requires the module privacy' },
    },
  },
]

const Status = namedSchema(
  'PrivacyStatus',
  Type.Object({
    privacy_region: RegionSchema,
    gdpr_consent: Type.Boolean(),
    gdpr_consent_at: NullableTimestamp,
    gdpr_consent_version: NullableString,
    ccpa_applies: Type.Boolean({ description: 'follows from the region: true in `ca` (California) and `eu_ca`' }),
    ccpa_opt_out: Type.Boolean(),
    ccpa_opt_out_at: NullableTimestamp,
  }),
)

const tag = 'Privacy'
const StatusReply = namedSchema('PrivacyStatusReply', success({ data: Status }))

export const PrivacyStatusRoute = describe(
  { operationId: 'getPrivacy', summary: 'Get your consent, opt-out and region', tag },
  {},
  StatusReply,
)

export const UpdateStatusRoute = describe(
  {
    operationId: 'updatePrivacy',
    summary: 'Update your consent, opt-out or region',
    description:
      'Send at least one member. Absent members are not changed. The service sets the times. A consent requires a ' +
      'version, from the request or GDPR_CONSENT_VERSION; a different version is a new consent. Every change is ' +
      'recorded in the history.',
    tag,
  },
  {
    body: Type.Object({
      gdpr_consent: Type.Optional(Type.Boolean({ examples: [true] })),
      gdpr_consent_version: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 32,
          description: 'version of the terms; only with a consent',
          examples: ['2026-11'],
        }),
      ),
      ccpa_opt_out: Type.Optional(Type.Boolean({ examples: [false] })),
      privacy_region: Type.Optional(RegionSchema),
      ccpa_applies: Type.Optional(
        Type.Boolean({ description: 'only accepted if it matches the region', examples: [false] }),
      ),
    }),
  },
  StatusReply,
)

const HistoryEntry = namedSchema(
  'PrivacyHistoryEntry',
  Type.Object({
    id: Id,
    event: Type.String({ examples: ['gdpr_consent_given'] }),
    old_value: NullableString,
    new_value: NullableString,
    version: NullableString,
    source: Type.String({ description: '`self`, `admin` for requests on your behalf, or `service`' }),
    created_at: Timestamp,
  }),
)

export const PrivacyHistoryRoute = describe(
  { operationId: 'listPrivacyHistory', summary: 'List your privacy choices, newest first', tag },
  { querystring: Type.Object(pageMembers) },
  success({
    data: Type.Array(HistoryEntry),
    meta: Type.Object({ ...Pagination.properties, has_more: Type.Boolean(), cached: Type.Boolean() }),
  }),
)

const exported = (modules: ModuleState) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Object({ ...exportMembers, ...membersOfModules(modules, 'all'), privacy_history: Type.Array(HistoryEntry) }),
  )

export const privacyExportRoute = (modules: ModuleState) =>
  describe(
    {
      operationId: 'getPrivacyExport',
      errors: ['REAUTH_REQUIRED'],
      summary: 'Export your personal data at once',
      description:
        'Requires a sign-in or POST /auth/reauthenticate within REAUTH_WINDOW; otherwise REAUTH_REQUIRED. Contains ' +
        'no secrets and no hashes.',
      tag,
    },
    { querystring: Type.Object({ download: Type.Optional(Type.Boolean({ description: 'true: returns a file' })) }) },
    success({ data: exported(modules) }),
  )

const ExportRequested = namedSchema(
  'ExportRequested',
  success({ data: Type.Object({ status: Type.Literal('pending'), requested_at: Timestamp }) }),
)

export const RequestExportRoute = describe(
  {
    operationId: 'requestPrivacyExport',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED'],
    summary: 'Request a file with your personal data',
    description:
      'Emails you a link that can be used once and expires after 24 hours. Requires a sign-in within REAUTH_WINDOW or ' +
      '`current_password`. While an export is in progress, another request does not start a new one. A newer export ' +
      'invalidates the link of an older one.',
    tag,
  },
  { body: Type.Object({ current_password: CurrentPassword }) },
  ExportRequested,
)

export const downloadLinkRoute = (modules: ModuleState) =>
  describe(
    {
      operationId: 'openPrivacyExportLink',
      errors: ['INVALID_TOKEN'],
      summary: 'Open the link to your data export',
      description: linkText,
      tag,
    },
    { querystring: LinkQuery },
    exported(modules),
  )

export const downloadRoute = (modules: ModuleState) =>
  describe(
    {
      operationId: 'downloadPrivacyExport',
      errors: ['INVALID_TOKEN'],
      summary: 'Download your data export',
      description: 'Consumes the link. The file is then deleted.',
      tag,
    },
    { body: Type.Object({ token: OneTimeTokenText, form_token: FormToken }) },
    exported(modules),
  )

const Deletion = namedSchema(
  'DeletionRequestReply',
  success({
    data: Type.Object({
      status: Type.Enum(['none', 'pending', 'cancelled']),
      requested_at: NullableTimestamp,
      scheduled_for: NullableTimestamp,
    }),
  }),
)

export const DeletionRoute = describe(
  { operationId: 'getDeletionRequest', summary: 'Get the status of your deletion request', tag },
  {},
  Deletion,
)

const reason = Type.Optional(
  Type.String({
    maxLength: 500,
    description: 'stored with the request and in the audit log',
    examples: ['no longer needed'],
  }),
)

export const RequestDeletionRoute = describe(
  {
    operationId: 'requestDeletion',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'LAST_SUPERADMIN', 'REAUTH_REQUIRED'],
    summary: 'Request the deletion of your account',
    description:
      'The account is deleted after PRIVACY_DELETION_GRACE. You can cancel the request until then. Requires a ' +
      'sign-in within REAUTH_WINDOW or `current_password`. Repeating the request has no effect. DELETE ' +
      '/auth/user/me deletes the account at once.',
    tag,
  },
  { body: Type.Object({ current_password: CurrentPassword, reason }) },
  Deletion,
)

export const CancelDeletionRoute = describe(
  { operationId: 'cancelDeletion', errors: ['NOT_FOUND'], summary: 'Cancel the deletion of your account', tag },
  {},
  Deletion,
)

const aUser = { params: Type.Object({ user_id: Type.String() }) }

export const DeletionByAdminRoute = describe(
  {
    operationId: 'requestUserDeletion',
    errors: ['NOT_FOUND', 'LAST_SUPERADMIN'],
    summary: 'Request the deletion of a user',
    description: 'The user is deleted after PRIVACY_DELETION_GRACE, is notified by email, and can cancel the deletion.',
    tag,
  },
  { ...aUser, body: Type.Object({ reason }) },
  Deletion,
)

export const CancelByAdminRoute = describe(
  {
    operationId: 'cancelUserDeletion',
    errors: ['NOT_FOUND'],
    summary: 'Cancel the deletion of a user',
    description: 'The user is notified by email.',
    tag,
  },
  aUser,
  Deletion,
)

export const ExportByAdminRoute = describe(
  {
    operationId: 'sendUserExport',
    errors: ['NOT_FOUND'],
    summary: 'Send a user their data export',
    description: "The link is sent only to the user's email address.",
    tag,
  },
  aUser,
  ExportRequested,
)
