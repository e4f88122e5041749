import Type from 'typebox'
import type { BridgeRight } from '../../db/rows/applications.ts'
import { bridgeRightNames, bridgeRights } from '../../http/access/bridge-rights.ts'
import { exampleValues, withExample } from '../../http/responses/examples.ts'
import { Done, describe, Id, NullableTimestamp, namedSchema, success, Timestamp } from '../../http/responses/schemas.ts'
import { defaultOverlap, maxOverlap, maxRanges } from './read-input.ts'

const tag = 'Applications'
const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'
const errors = ['NOT_FOUND', 'REAUTH_REQUIRED'] as const

const rights = Type.Array(Type.Unsafe<BridgeRight>({ type: 'string', enum: bridgeRightNames }), {
  description: bridgeRightNames.map((right) => `\`${right}\`: ${bridgeRights[right]}`).join('; '),
})
const ipRanges = Type.Array(Type.String(), {
  description: 'networks from which the secret is accepted, in CIDR notation; empty: all networks',
})

const ApplicationSecret = namedSchema(
  'ApplicationSecret',
  Type.Object({
    id: Id,
    hint: Type.String({ description: 'the beginning and the end of the secret' }),
    rights,
    ip_ranges: ipRanges,
    created_at: Timestamp,
    ends_at: NullableTimestamp,
    last_used_at: NullableTimestamp,
    requests_last_day: Type.Integer(),
    requests_last_month: Type.Integer(),
  }),
)

const exampleSecret = 'wbs_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf3nrrNz'
const example = {
  id: exampleValues.id,
  hint: 'wbs_003aUlTJ…rrNz',
  rights: ['sessions' as const],
  ip_ranges: ['10.20.0.0/16'],
  created_at: exampleValues.time,
  ends_at: null,
  last_used_at: null,
  requests_last_day: 0,
  requests_last_month: 0,
}

const id = Type.String({ maxLength: 100, examples: [exampleValues.id] })
const ofApplication = Type.Object({ application_id: id })
const one = Type.Object({ application_id: id, secret_id: id })

const endsAt = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 40,
    keepNull: true,
    description: 'the time at which the secret ends; null: it does not end',
  }),
)
const input = Type.Object(
  {
    rights: Type.Optional(
      Type.Array(Type.Unsafe<BridgeRight>({ type: 'string', enum: bridgeRightNames }), {
        minItems: 1,
        maxItems: bridgeRightNames.length,
        description: 'default: `sessions`',
      }),
    ),
    ip_ranges: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
        maxItems: maxRanges,
        description: 'default: all networks',
      }),
    ),
    ends_at: endsAt,
  },
  { examples: [{ rights: ['sessions'], ip_ranges: ['10.20.0.0/16'] }] },
)

const shown = withExample(success({ data: ApplicationSecret }), { success: true, data: example })
const shownOnce = withExample(
  success({
    data: Type.Object({
      application_secret: ApplicationSecret,
      secret: Type.String({ description: 'the secret, which cannot be read again', examples: [exampleSecret] }),
    }),
  }),
  { success: true, data: { application_secret: example, secret: exampleSecret } },
)

export const ListApplicationSecretsRoute = describe(
  {
    operationId: 'listApplicationSecrets',
    summary: "List an application's bridge secrets and their last use",
    description:
      'Never returns the secrets themselves. Nodes store their counts once a minute, so recent requests may be missing. ' +
      'The periods are 24 hours and 30 days.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params: ofApplication },
  withExample(success({ data: Type.Object({ secrets: Type.Array(ApplicationSecret) }) }), {
    success: true,
    data: { secrets: [example] },
  }),
)

export const CreateApplicationSecretRoute = describe(
  {
    operationId: 'createApplicationSecret',
    summary: 'Create a bridge secret of an application',
    description:
      "The application's back ends send it in X-Bridge-Secret. An application has two secrets at most. All superadmins " +
      `are sent an email. ${needsProof}`,
    tag,
    errors,
  },
  { params: ofApplication, body: input },
  shownOnce,
)

export const UpdateApplicationSecretRoute = describe(
  {
    operationId: 'updateApplicationSecret',
    summary: 'Update a bridge secret of an application',
    description:
      'Members that are not sent stay as they are. If the secret allows more than before, all superadmins are sent an ' +
      `email. ${needsProof}`,
    tag,
    errors,
  },
  { params: one, body: input },
  shown,
)

export const RotateApplicationSecretRoute = describe(
  {
    operationId: 'rotateApplicationSecret',
    summary: 'Replace a bridge secret of an application',
    description:
      'The new secret has the rights and networks of the former one, which ends after the overlap. All superadmins are ' +
      `sent an email. ${needsProof}`,
    tag,
    errors,
  },
  {
    params: one,
    body: Type.Object(
      {
        overlap: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: maxOverlap / 1000,
            description: `seconds for which the former secret still works; default: ${defaultOverlap / 1000}`,
            examples: [defaultOverlap / 1000],
          }),
        ),
        ends_at: Type.Optional(
          Type.Unsafe<string | null>({
            type: ['string', 'null'],
            maxLength: 40,
            keepNull: true,
            description: 'the time at which the new secret ends, or null; default: the end of the former one',
          }),
        ),
      },
      { examples: [{ overlap: defaultOverlap / 1000 }] },
    ),
  },
  shownOnce,
)

export const RevokeApplicationSecretRoute = describe(
  {
    operationId: 'revokeApplicationSecret',
    summary: 'Revoke a bridge secret of an application',
    description:
      'The secret is rejected immediately by the node that handles the request, and within a second by the others. Its ' +
      `event streams end. ${needsProof}`,
    tag,
    errors,
  },
  { params: one },
  Done,
)
