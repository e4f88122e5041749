import Type from 'typebox'
import { describe, NullableTimestamp, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { type SessionAge, sessionAges } from './usage-queries.ts'

const tag = 'Administration'

const requests = { requests_last_day: Type.Integer(), requests_last_month: Type.Integer() }

const BridgeSecretUse = namedSchema(
  'BridgeSecretUse',
  Type.Object({
    name: Type.String({ description: 'name in BRIDGE_SECRETS; `default` for BRIDGE_SECRET', examples: ['shop'] }),
    last_used_at: NullableTimestamp,
    ...requests,
  }),
)

export const BridgeSecretsRoute = describe(
  {
    operationId: 'listBridgeSecrets',
    summary: 'List the configured bridge secrets and their last use',
    description:
      'Returns names, never values. Nodes store their counts once a minute, so recent requests may be missing. The ' +
      'periods are 24 hours and 30 days. `last_used_at` is null if the use of the secret was never recorded.',
    tag,
  },
  {},
  success({ data: Type.Object({ secrets: Type.Array(BridgeSecretUse) }) }),
)

const LiveSessions = namedSchema(
  'LiveSessions',
  Type.Object({
    age: Type.Unsafe<SessionAge>({
      type: 'string',
      enum: sessionAges,
      description: 'time since the sign-in: at most an hour, a day, 7 days or 30 days, or longer',
    }),
    computer: Type.Integer(),
    mobile: Type.Integer({ description: 'phones and tablets' }),
    other: Type.Integer({ description: 'applications, programs and unknown devices' }),
  }),
)

const LimitRejections = namedSchema(
  'LimitRefusals',
  Type.Object({
    class: Type.String({ examples: ['login'] }),
    last_refused_at: Timestamp,
    ...requests,
  }),
)

export const SecurityFiguresRoute = describe(
  {
    operationId: 'getSecurityFigures',
    summary: 'Get the numbers of live sessions and of requests rejected by rate limits',
    description:
      'A job counts the sessions every 15 minutes: `measured_at` is null before the first count. Nodes store the ' +
      'numbers of rejected requests once a minute. Limits that rejected no request in the last 30 days are not listed.',
    tag,
  },
  {},
  success({
    data: Type.Object({
      measured_at: NullableTimestamp,
      sessions: Type.Array(LiveSessions, { description: 'one entry for each age, newest first' }),
      refusals: Type.Array(LimitRejections),
    }),
  }),
)
