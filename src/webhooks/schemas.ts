import Type from 'typebox'
import type { DisabledReason } from '../db/rows/webhooks.ts'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { Done, describe, Id, NullableTimestamp, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { maxDescription, maxHeaders, maxHeaderValue } from './read-input.ts'
import { maxReplayed } from './replay.ts'

export const tag = 'Events'
const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'
const changeErrors = ['NOT_FOUND', 'REAUTH_REQUIRED'] as const

const Disabled = Type.Unsafe<DisabledReason | null>({
  type: ['string', 'null'],
  enum: ['gone', 'failing', 'restored', null],
  description:
    'why the service disabled the webhook: the receiver responded with 410 (`gone`), it accepted no event for three ' +
    'days (`failing`), or the database was restored from a backup (`restored`)',
})

const Webhook = namedSchema(
  'Webhook',
  Type.Object({
    id: Id,
    url: Type.String(),
    description: Type.String(),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    disabled_reason: Disabled,
    headers: Type.Array(Type.String(), { description: 'names of the custom headers, without values' }),
    has_former_secret: Type.Boolean({ description: 'whether requests are also signed with the former secret' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    failing_since: NullableTimestamp,
    paused_until: NullableTimestamp,
    waiting: Type.Integer({ description: 'deliveries that are waiting for their next attempt' }),
    failed: Type.Integer({ description: 'deliveries that failed and will not be retried' }),
  }),
)

const webhookId = Type.String({ maxLength: 100, examples: ['01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'] })
export const params = Type.Object({ webhook_id: webhookId })
export const deliveryParams = Type.Object({ webhook_id: webhookId, delivery_id: webhookId })

const url = Type.String({ maxLength: 2_048, examples: ['https://api.example.com/webhooks/wardenry'] })
const description = Type.String({ maxLength: 4 * maxDescription, description: `at most ${maxDescription} characters` })
const events = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 50,
  description: 'types of events, groups such as `user.*`, or `*` for all events',
  examples: [['user.*', 'session.ended']],
})
const enabled = Type.Boolean({ description: 'default: true' })
const headers = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64, examples: ['authorization'] }),
    value: Type.String({ minLength: 1, maxLength: maxHeaderValue, examples: ['Bearer 8b5f3f61'] }),
  }),
  { maxItems: maxHeaders, description: 'headers that are added to every request; their values cannot be read again' },
)

const optional = {
  description: Type.Optional(description),
  enabled: Type.Optional(enabled),
  headers: Type.Optional(headers),
}

const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const Secret = Type.String({
  description: 'the signing secret, which cannot be read again',
  examples: [exampleSecret],
})

const webhookExample = {
  id: exampleValues.id,
  url: 'https://api.example.com/webhooks/wardenry',
  description: '',
  events: ['user.*', 'session.ended'],
  enabled: true,
  disabled_reason: null,
  headers: [],
  has_former_secret: false,
  created_at: exampleValues.time,
  updated_at: exampleValues.time,
  failing_since: null,
  paused_until: null,
  waiting: 0,
  failed: 0,
}

export const ListWebhooksRoute = describe(
  {
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'The response contains neither the signing secrets nor the values of custom headers.',
    tag,
  },
  {},
  withExample(success({ data: Type.Object({ webhooks: Type.Array(Webhook) }) }), {
    success: true,
    data: { webhooks: [webhookExample] },
  }),
)

export const CreateWebhookRoute = describe(
  {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'New events that match `events` are sent to `url` with the headers and signatures of the Standard Webhooks ' +
      `specification. ${needsProof}`,
    tag,
    errors: ['REAUTH_REQUIRED'],
  },
  {
    body: Type.Object(
      { url, events, ...optional },
      { examples: [{ url: 'https://api.example.com/webhooks/wardenry', events: ['user.*', 'session.ended'] }] },
    ),
  },
  withExample(success({ data: Type.Object({ webhook: Webhook, secret: Secret }) }), {
    success: true,
    data: { webhook: webhookExample, secret: exampleSecret },
  }),
)

export const GetWebhookRoute = describe(
  {
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'The response contains neither the signing secret nor the values of custom headers.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params },
  success({ data: Webhook }),
)

export const UpdateWebhookRoute = describe(
  {
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description: `Waiting deliveries are sent to the new URL. If the webhook is paused, the pause ends. ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  {
    params,
    body: Type.Object(
      { url: Type.Optional(url), events: Type.Optional(events), ...optional },
      { examples: [{ enabled: false }] },
    ),
  },
  success({ data: Webhook }),
)

export const DeleteWebhookRoute = describe(
  {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook and its log',
    description: `Waiting deliveries are discarded. ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  { params },
  Done,
)

export const RotateSecretRoute = describe(
  {
    operationId: 'rotateWebhookSecret',
    summary: 'Create a new signing secret',
    description:
      'Until the next rotation, each request has two signatures: one with the new secret and one with the former ' +
      `secret. Replace the secret in the receiver in the meantime. ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  { params },
  success({ data: Type.Object({ secret: Secret }) }),
)

export const TestWebhookRoute = describe(
  {
    operationId: 'sendTestEvent',
    summary: 'Send a test event',
    description: `Sends the event \`webhook.test\` to this webhook only. ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  { params },
  Done,
)

export const ReplayRoute = describe(
  {
    operationId: 'replayDeliveries',
    summary: 'Deliver events again',
    description:
      'Repeats one delivery (`delivery_id`), all failed deliveries (`failed`), or the events of a time span (`from`, ' +
      `\`to\`) that match the webhook's events, at most ${maxReplayed}, oldest first. ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  {
    params,
    body: Type.Object(
      {
        delivery_id: Type.Optional(webhookId),
        failed: Type.Optional(Type.Boolean()),
        from: Type.Optional(Type.String({ maxLength: 40, examples: ['2026-11-20T17:00:00Z'] })),
        to: Type.Optional(Type.String({ maxLength: 40, description: 'default: now' })),
      },
      { examples: [{ failed: true }] },
    ),
  },
  success({ data: Type.Object({ replayed: Type.Integer({ description: 'number of deliveries' }) }) }),
)
