import Type, { type Static } from 'typebox'
import type { ApplicationKind } from '../../db/rows/applications.ts'
import { applicationKinds } from '../read-input.ts'

const nullable = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }))

const Entry = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    kind: Type.Unsafe<ApplicationKind>({ type: 'string', enum: applicationKinds }),
    home_url: nullable,
    return_addresses: Type.Optional(Type.Array(Type.String())),
    origins: Type.Optional(Type.Array(Type.String())),
    development: Type.Optional(Type.Boolean()),
    accepts: Type.Optional(Type.Array(Type.String())),
    sign_in_methods: Type.Optional(Type.Array(Type.String())),
    registration: Type.Optional(Type.Boolean()),
    gateway_accept: Type.Optional(Type.Array(Type.String())),
    gateway_scope: Type.Optional(Type.Array(Type.String())),
    gateway_permission: nullable,
    gateway_resource: nullable,
    enabled: Type.Optional(Type.Boolean()),
    accent: nullable,
    logo: nullable,
    terms_url: nullable,
    privacy_url: nullable,
    sign_out_url: nullable,
    note: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
type Entry = Static<typeof Entry>

/** Leaves out what identifies the application in this installation. */
export const entryOf = (application: Entry): Entry =>
  Object.fromEntries(
    (Object.keys(Entry.properties) as (keyof Entry)[]).map((name) => [name, application[name]]),
  ) as Entry

/** The members that the API also has, and none that identifies or secures an installation. */
export const ApplicationsFile = Type.Object(
  { version: Type.Literal(1), applications: Type.Array(Entry) },
  { additionalProperties: false },
)
export type ApplicationsFile = Static<typeof ApplicationsFile>
