import Type from 'typebox'
import type { ModuleState } from '../../context.ts'
import { FormToken, LinkQuery, linkText } from '../../email-addresses/schemas.ts'
import { describe, namedSchema, success, Timestamp } from '../../http/responses/schemas.ts'
import { exampleToken, OneTimeTokenText } from '../../one-time-tokens/schemas.ts'
import { CurrentPasswordBody } from '../../passwords/schemas.ts'
import { exportMembers, membersOfModules } from '../../profile/schemas.ts'
import { HistoryEntry, tag, UserPath } from './schemas.ts'

const exported = (modules: ModuleState) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Object({ ...exportMembers, ...membersOfModules(modules, 'all'), privacy_history: Type.Array(HistoryEntry) }),
  )

export const privacyExportRoute = (modules: ModuleState) =>
  describe(
    {
      operationId: 'getPrivacyExport',
      errors: ['REAUTH_REQUIRED'],
      summary: 'Export your personal data immediately',
      description:
        'Requires a sign-in or POST /auth/reauthenticate within REAUTH_WINDOW; otherwise, returns REAUTH_REQUIRED. ' +
        'Contains no secrets or hashes.',
      tag,
    },
    { querystring: Type.Object({ download: Type.Optional(Type.Boolean({ description: 'true returns a file' })) }) },
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
      'Emails you a link that can be used once and expires after 24 hours. Requires a sign-in within REAUTH_WINDOW ' +
      'or `current_password`. While an export is in progress, another request does not start a new one. A new export ' +
      'invalidates the link of the previous export.',
    tag,
  },
  {
    body: CurrentPasswordBody,
  },
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
    {
      body: Type.Object({ token: OneTimeTokenText, form_token: FormToken }, { examples: [{ token: exampleToken }] }),
    },
    exported(modules),
  )

export const ExportByAdminRoute = describe(
  {
    operationId: 'sendUserExport',
    errors: ['NOT_FOUND'],
    summary: 'Send a user their data export',
    description: "The link is sent only to the user's email address.",
    tag,
  },
  { params: UserPath },
  ExportRequested,
)
