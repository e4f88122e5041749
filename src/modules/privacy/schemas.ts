import Type from 'typebox'
import type { ModuleColumn } from '../../context.ts'
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
} from '../../http/responses/schemas.ts'
import type { PrivacyEvent, PrivacyEventSource } from './rows.ts'
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
      schema: { type: 'string', enum: ['eu', 'ca', 'eu_ca', 'global'], description: 'requires the privacy module' },
    },
  },
]

export const UserPath = Type.Object({ user_id: Type.String() })

const Status = namedSchema(
  'PrivacyStatus',
  Type.Object({
    privacy_region: RegionSchema,
    gdpr_consent: Type.Boolean(),
    gdpr_consent_at: NullableTimestamp,
    gdpr_consent_version: NullableString,
    ccpa_applies: Type.Boolean({ description: 'determined by the region: true in `ca` (California) and `eu_ca`' }),
    ccpa_opt_out: Type.Boolean(),
    ccpa_opt_out_at: NullableTimestamp,
  }),
)

export const tag = 'Privacy'
const StatusResponse = namedSchema('PrivacyStatusReply', success({ data: Status }))

export const PrivacyStatusRoute = describe(
  {
    operationId: 'getPrivacy',
    summary: 'Get your consent, opt-out and region',
    description: 'Each time is the time at which the service recorded the choice; null if there was none.',
    tag,
  },
  {},
  StatusResponse,
)

export const UpdateStatusRoute = describe(
  {
    operationId: 'updatePrivacy',
    summary: 'Update your consent, opt-out or region',
    description:
      'Send at least one member. Absent members are not changed. The service sets the consent times. A GDPR consent ' +
      'requires a version, from the request or from GDPR_CONSENT_VERSION. A different version is a new consent. ' +
      'Every change is recorded in the history.',
    tag,
  },
  {
    body: Type.Object(
      {
        gdpr_consent: Type.Optional(Type.Boolean({ examples: [true] })),
        gdpr_consent_version: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 32,
            description: 'terms version; only with a consent',
            examples: ['2026-11'],
          }),
        ),
        ccpa_opt_out: Type.Optional(Type.Boolean({ examples: [false] })),
        privacy_region: Type.Optional(RegionSchema),
        ccpa_applies: Type.Optional(
          Type.Boolean({ description: 'only accepted if it matches the region', examples: [false] }),
        ),
      },
      { examples: [{ gdpr_consent: true, gdpr_consent_version: '2026-11', privacy_region: 'eu' }] },
    ),
  },
  StatusResponse,
)

export const HistoryEntry = namedSchema(
  'PrivacyHistoryEntry',
  Type.Object({
    id: Id,
    event: Type.Unsafe<PrivacyEvent>({ type: 'string', examples: ['gdpr_consent_given'] }),
    old_value: NullableString,
    new_value: NullableString,
    version: NullableString,
    source: Type.Unsafe<PrivacyEventSource>({
      type: 'string',
      description: '`self`, `admin` for a change by an administrator, or `service`',
    }),
    created_at: Timestamp,
  }),
)

export const PrivacyHistoryRoute = describe(
  {
    operationId: 'listPrivacyHistory',
    summary: 'List your privacy choices, newest first',
    description:
      'Contains the previous and the new value of each choice, but not the IP address and device recorded with ' +
      'it.',
    tag,
  },
  { querystring: Type.Object(pageMembers) },
  success({ data: Type.Object({ events: Type.Array(HistoryEntry), pagination: Pagination }) }),
)
