import Type from 'typebox'
import type { ModuleColumn, ModuleState } from '../../context.ts'
import { FormToken, LinkQuery, linkText } from '../../email-addresses/schemas.ts'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  named,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../../http/replies/schemas.ts'
import { Token } from '../../one-time-tokens/schemas.ts'
import { CurrentPassword } from '../../passwords/schemas.ts'
import { exportMembers, membersOfModules } from '../../profile/schemas.ts'
import { regions } from './status.ts'

export const Region = Type.Enum(regions)

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
    schema: Region,
    filter: {
      schema: { type: 'string', enum: ['eu', 'ca', 'eu_ca', 'global'], description: 'needs the module privacy' },
    },
  },
]

const Status = named(
  'PrivacyStatus',
  Type.Object({
    privacy_region: Region,
    gdpr_consent: Type.Boolean(),
    gdpr_consent_at: NullableTimestamp,
    gdpr_consent_version: NullableString,
    ccpa_applies: Type.Boolean({ description: 'follows from the region: true in `ca` (California) and `eu_ca`' }),
    ccpa_opt_out: Type.Boolean(),
    ccpa_opt_out_at: NullableTimestamp,
  }),
)

const tag = 'Privacy'
const StatusReply = named('PrivacyStatusReply', success({ data: Status }))

export const StatusRoute = describe(
  { operationId: 'getPrivacy', summary: 'Your consent, opt-out and region', tag },
  {},
  StatusReply,
)

export const UpdateStatusRoute = describe(
  {
    operationId: 'updatePrivacy',
    summary: 'Change your consent, opt-out or region',
    description:
      'At least one member; what is not mentioned stays. The service sets the times. A consent needs a version, given or by ' +
      'GDPR_CONSENT_VERSION; another version is another consent. Every change leaves a row in the history.',
    tag,
  },
  {
    body: Type.Object({
      gdpr_consent: Type.Optional(Type.Boolean({ examples: [true] })),
      gdpr_consent_version: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 32,
          description: 'of what is consented to; only with a consent',
          examples: ['2026-11'],
        }),
      ),
      ccpa_opt_out: Type.Optional(Type.Boolean({ examples: [false] })),
      privacy_region: Type.Optional(Region),
      ccpa_applies: Type.Optional(
        Type.Boolean({ description: 'accepted only when it agrees with the region', examples: [false] }),
      ),
    }),
  },
  StatusReply,
)

const HistoryEntry = named(
  'PrivacyHistoryEntry',
  Type.Object({
    id: Id,
    event: Type.String({ examples: ['gdpr_consent_given'] }),
    old_value: NullableString,
    new_value: NullableString,
    version: NullableString,
    source: Type.String({ description: '`self`; `admin` for what was asked on your behalf; `service`' }),
    created_at: Timestamp,
  }),
)

export const HistoryRoute = describe(
  { operationId: 'listPrivacyHistory', summary: 'What you have decided about your data, newest first', tag },
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

export const exportRoute = (modules: ModuleState) =>
  describe(
    {
      operationId: 'getPrivacyExport',
      errors: ['REAUTH_REQUIRED'],
      summary: 'Everything the service knows about you, at once',
      description:
        'Needs a sign-in or POST /auth/reauthenticate within REAUTH_WINDOW; else REAUTH_REQUIRED. Holds no secret and no hash.',
      tag,
    },
    { querystring: Type.Object({ download: Type.Optional(Type.Boolean({ description: 'true: as a file' })) }) },
    success({ data: exported(modules) }),
  )

const ExportRequested = named(
  'ExportRequested',
  success({ data: Type.Object({ status: Type.Literal('pending'), requested_at: Timestamp }) }),
)

export const RequestExportRoute = describe(
  {
    operationId: 'requestPrivacyExport',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED'],
    summary: 'Ask for a file with everything the service knows about you',
    description:
      'Your mailbox gets a link that works once within 24 hours. Needs a sign-in within REAUTH_WINDOW, or `current_password`. ' +
      'While one is being made, asking again starts no other; a newer one ends the link of the older one.',
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
      summary: 'Open the link to the file with your data',
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
      summary: 'Get the file with your data',
      description: 'Spends the link; the file is not kept any longer.',
      tag,
    },
    { body: Type.Object({ token: Token, form_token: FormToken }) },
    exported(modules),
  )

const Deletion = named(
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
  { operationId: 'getDeletionRequest', summary: 'Whether you are going to be deleted, and when', tag },
  {},
  Deletion,
)

const reason = Type.Optional(
  Type.String({
    maxLength: 500,
    description: 'kept with the request and in the audit',
    examples: ['no longer needed'],
  }),
)

export const RequestDeletionRoute = describe(
  {
    operationId: 'requestDeletion',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'LAST_SUPERADMIN', 'REAUTH_REQUIRED'],
    summary: 'Ask to be deleted',
    description:
      'You are deleted after PRIVACY_DELETION_GRACE, and can cancel until then. Needs a sign-in within REAUTH_WINDOW, or ' +
      '`current_password`. Asking again changes nothing. DELETE /auth/user/me deletes you at once.',
    tag,
  },
  { body: Type.Object({ current_password: CurrentPassword, reason }) },
  Deletion,
)

export const CancelDeletionRoute = describe(
  { operationId: 'cancelDeletion', errors: ['NOT_FOUND'], summary: 'Stay after all', tag },
  {},
  Deletion,
)

const aUser = { params: Type.Object({ user_id: Type.String() }) }

export const DeletionByAdminRoute = describe(
  {
    operationId: 'requestUserDeletion',
    errors: ['NOT_FOUND', 'LAST_SUPERADMIN'],
    summary: 'Ask for the deletion of a user',
    description: 'They are deleted after PRIVACY_DELETION_GRACE, hear of it by mail, and can cancel it.',
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
    description: 'They hear of it by mail.',
    tag,
  },
  aUser,
  Deletion,
)

export const ExportByAdminRoute = describe(
  {
    operationId: 'sendUserExport',
    errors: ['NOT_FOUND'],
    summary: 'Send a user the file with their data',
    description: 'The link goes to the address of their account, and to nobody else.',
    tag,
  },
  aUser,
  ExportRequested,
)
