import Type from 'typebox'
import type { ApplicationKind } from '../db/rows/applications.ts'
import { exampleValues } from '../http/responses/examples.ts'
import { Id, NullableString, NullableTimestamp, namedSchema, Timestamp } from '../http/responses/schemas.ts'
import { appearanceExample, shownAppearance } from './appearance-schemas.ts'
import { applicationKinds } from './read-input.ts'

export const kind = Type.Unsafe<ApplicationKind>({
  type: 'string',
  enum: applicationKinds,
  description: '`gateway`: behind a proxy that calls /auth/verify; `service`: has no pages of its own',
})

export const Application = namedSchema(
  'Application',
  Type.Object({
    id: Id,
    key: Type.String({ description: 'a name for files and commands of other systems' }),
    name: Type.String(),
    kind,
    home_url: NullableString,
    return_addresses: Type.Array(Type.String()),
    origins: Type.Array(Type.String()),
    development: Type.Boolean(),
    accepts: Type.Array(Type.String()),
    sign_in_methods: Type.Array(Type.String()),
    registration: Type.Boolean(),
    gateway_accept: Type.Array(Type.String()),
    gateway_scope: Type.Array(Type.String()),
    gateway_permission: NullableString,
    gateway_resource: NullableString,
    enabled: Type.Boolean(),
    source: Type.Literal('admin'),
    note: Type.String(),
    ...shownAppearance,
    live_sessions: Type.Integer({
      description: 'sessions that were handed over to the application and are live, counted up to 10,000',
    }),
    last_sign_in_at: NullableTimestamp,
    sign_ins_last_day: Type.Integer({
      description:
        "codes that the application redeemed, and browsers that returned to it with the service's cookie, in the last 24 " +
        'hours, stored once a minute',
    }),
    sign_ins_last_month: Type.Integer({ description: 'the same for 30 days' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: NullableTimestamp,
  }),
)

export const applicationExample = {
  id: exampleValues.id,
  key: 'shop',
  name: 'Shop',
  kind: 'website' as const,
  home_url: null,
  return_addresses: ['https://shop.example.com'],
  origins: [],
  development: false,
  accepts: [],
  sign_in_methods: [],
  registration: true,
  gateway_accept: [],
  gateway_scope: [],
  gateway_permission: null,
  gateway_resource: null,
  enabled: true,
  source: 'admin' as const,
  note: '',
  ...appearanceExample,
  ...{ live_sessions: 42, last_sign_in_at: exampleValues.time, sign_ins_last_day: 12, sign_ins_last_month: 345 },
  ...{ created_at: exampleValues.time, updated_at: exampleValues.time, deleted_at: null },
}
