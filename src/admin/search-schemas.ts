import Type, { type TSchema } from 'typebox'
import type { UserFilter } from '../context.ts'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import {
  describe,
  namedSchema,
  ofModuleFilter,
  onlyForClients,
  Pagination,
  pageMembers,
  success,
} from '../http/responses/schemas.ts'
import { knownProviders, type ProviderName } from '../social/provider.ts'
import { AdminUser } from '../users/schemas.ts'
import { orders } from './search-queries.ts'

const tag = 'Administration'

const text = (description: string, example: string, maxLength = 2048) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

const choice = <Word extends string>(words: readonly Word[], description: string, more: object = {}) =>
  Type.Optional(Type.Unsafe<Word>({ type: 'string', enum: words, description, ...more }))

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const time = (description: string) => text(`${description}; ISO 8601`, '2026-11-20T17:48:31.705Z', 40)

const providers: readonly ProviderName[] = [...knownProviders, 'oidc']

const filterMembers = {
  q: text(
    'part of an email address, a full name, a display name or a user name; case-insensitive, without wildcards',
    'lovelace',
    100,
  ),
  email: text('part of the email address; case-insensitive, without wildcards', 'example.com', 254),
  name: text(
    'part of the first name, the last name or both with a space between them; case-insensitive, without wildcards',
    'Ada',
    100,
  ),
  user_name: text('part of the user name; case-insensitive, without wildcards', 'ada', 100),
  user_type: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_-]{1,31}$',
      description: 'users with this role',
      examples: ['customer'],
    }),
  ),
  application_role: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9-]{1,39}:[a-z][a-z0-9_-]{1,39}$',
      description: 'users who have this role of an application at present; a default role finds every user',
      examples: ['billing:accountant'],
    }),
  ),
  id: text('id of a user, or up to 100 ids separated by commas', '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90', 4_000),
  external_id: text('id of the user in the system from which the user was imported', 'auth0|5f7c8ec7c33c', 255),
  phone: text(
    'start of the phone number including the country code, or its end; spaces and punctuation are ignored',
    '900123',
    40,
  ),
  verified: flag('whether the email address is verified'),
  blocked: flag('whether the user is currently blocked'),
  deleted: flag('true: only deleted users whose data has not been erased; false (default): no deleted users'),
  provider: choice(providers, 'users with a linked account from this provider'),
  created_from: time('only users created at or after this time'),
  created_to: time('only users created before this time'),
  last_seen_from: time('only users with a session used at or after this time'),
  last_seen_to: time('only users without a session used at or after this time'),
}

const pageOfSearch = {
  count_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'stops counting at this number, which speeds up searches with many matches; `total` is then this number, and ' +
        '`total_is_exact` is false; default: all are counted',
      examples: [1000],
    }),
  ),
  sort: choice(
    orders.flatMap((name) => [name, `-${name}` as const]),
    'a minus sign reverses the order; default: -created_at',
  ),
  order_by: choice(orders, 'use `sort`', { deprecated: true }),
  order_dir: choice(['asc', 'desc'], 'use `sort`', { deprecated: true }),
  ...pageMembers,
}

const Users = namedSchema(
  'UserSearchReply',
  success({
    data: Type.Object({
      users: Type.Array(AdminUser),
      pagination: Type.Object({
        ...Pagination.properties,
        total_is_exact: Type.Optional(Type.Literal(false, { description: 'only if `count_limit` stopped the count' })),
      }),
    }),
    meta: Type.Optional(
      Type.Object(
        { total: Type.Integer(), page: Type.Integer(), limit: Type.Integer(), hasMore: Type.Boolean() },
        onlyForClients,
      ),
    ),
  }),
)

export function filtersWith(filters: readonly UserFilter[]) {
  const added = filters.map(({ name, schema }) => [
    name,
    Type.Optional(Type.Unsafe<unknown>({ ...schema, ...ofModuleFilter })),
  ])
  const ofModules: Record<never, TSchema> = Object.fromEntries(added)
  return { ...filterMembers, ...ofModules }
}

const searchQuery = (filters: readonly UserFilter[]) => ({
  querystring: Type.Object({ ...filtersWith(filters), ...pageOfSearch }),
})

export const searchRoute = (filters: readonly UserFilter[]) =>
  describe(
    {
      operationId: 'searchUsers',
      errors: [[400, 'module_not_installed']],
      summary: 'Search users',
      description:
        'A user must match all given filters. Unknown parameters are rejected, and deleted users are found only ' +
        'with `deleted=true`.',
      tag,
    },
    searchQuery(filters),
    withExample(Users, {
      success: true,
      data: {
        users: [exampleValues.adminUser],
        pagination: { page: 1, limit: 10, total: 1, pages: 1, has_more: false },
      },
    }),
  )

/** For pages, whose calls need the response and the path. The filters of modules differ between installations. */
export const SearchRoute = searchRoute([])

export const deprecatedSearchRoute = (filters: readonly UserFilter[]) => ({
  ...describe(
    {
      operationId: 'searchUsersDeprecated',
      errors: [[400, 'module_not_installed']],
      summary: 'Search users (deprecated path)',
      description: 'Use GET /auth/users.',
      tag,
    },
    searchQuery(filters),
    Users,
  ),
  deprecated: true,
})
