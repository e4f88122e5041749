import Type from 'typebox'
import { exampleValues, withExample } from '../../http/responses/examples.ts'
import { Done, describe, Id, NullableTimestamp, namedSchema, success, Timestamp } from '../../http/responses/schemas.ts'
import {
  ApiKey,
  endInput,
  KeyChangesInput,
  keyExample,
  NewApiKey,
  NewKeyInput,
  nameInput,
  newKeyExample,
  RotationBody,
} from './key-schemas.ts'
import { rotated } from './own-schemas.ts'
import { maxDescription, maxOwners } from './read-input.ts'

const tag = 'API keys'
const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'
const rule =
  'Superadmins can give all scopes. Other administrators can give only those that correspond to their permissions.'
const changeErrors = ['NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN', 'KEY_SCOPE_NOT_ALLOWED'] as const

const ServiceAccount = namedSchema(
  'ServiceAccount',
  Type.Object({
    id: Id,
    name: Type.String(),
    description: Type.String(),
    owners: Type.Array(Type.Object({ id: Id, email: Type.String(), name: Type.String() })),
    scopes: Type.Array(Type.String()),
    keys: Type.Integer({ description: 'the number of valid keys' }),
    enabled: Type.Boolean(),
    ended: Type.Boolean({ description: 'whether `ends_at` is in the past' }),
    ends_at: NullableTimestamp,
    last_used_at: Type.Unsafe<string | null>({ ...NullableTimestamp, description: 'the last use of any of its keys' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

const example = {
  ...{ id: exampleValues.id, name: 'Deployment', description: 'Deploys the shop' },
  owners: [{ id: exampleValues.id, email: 'ada@example.com', name: 'Ada Lovelace' }],
  ...{ scopes: ['wardenry:users:read'], keys: 1, enabled: true, ended: false, ends_at: null, last_used_at: null },
  ...{ created_at: exampleValues.time, updated_at: exampleValues.time },
}

const id = Type.String({ maxLength: 100, examples: [exampleValues.id] })
const params = Type.Object({ service_account_id: id })
const keyParams = Type.Object({ service_account_id: id, key_id: id })

const description = Type.Optional(Type.String({ maxLength: 4 * maxDescription, examples: ['Deploys the shop'] }))
const owners = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: maxOwners,
  description: 'the ids of the users who get the emails about the keys',
  examples: [[exampleValues.id]],
})
const ends = endInput('the time at which all keys of the account end; null: none')
const enabled = Type.Optional(Type.Boolean({ description: 'default: true', examples: [true] }))
const scopes = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
  minItems: 1,
  maxItems: 200,
  examples: [['wardenry:users:read']],
})
const inputExample = { name: 'Deployment', owners: [exampleValues.id], scopes: ['wardenry:users:read'] }

const shown = withExample(success({ data: ServiceAccount }), { success: true, data: example })

export const ListAccountsRoute = describe(
  {
    operationId: 'listServiceAccounts',
    summary: 'List service accounts',
    description: 'In the order of their names. `scopes` contains the scopes that you can give.',
    tag,
  },
  {},
  withExample(
    success({ data: Type.Object({ service_accounts: Type.Array(ServiceAccount), scopes: Type.Array(Type.String()) }) }),
    { success: true, data: { service_accounts: [example], scopes: ['wardenry:users:read'] } },
  ),
)

export const GetAccountRoute = describe(
  {
    operationId: 'getServiceAccount',
    summary: 'Get a service account',
    description: 'With its owners and the number of its valid keys.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params },
  shown,
)

export const CreateAccountRoute = describe(
  {
    operationId: 'createServiceAccount',
    summary: 'Create a service account',
    description: `${rule} ${needsProof}`,
    tag,
    errors: ['REAUTH_REQUIRED', 'FORBIDDEN', 'KEY_SCOPE_NOT_ALLOWED'],
  },
  {
    body: Type.Object(
      { name: nameInput, description, owners, scopes, ends_at: ends, enabled },
      { examples: [inputExample] },
    ),
  },
  shown,
)

export const UpdateAccountRoute = describe(
  {
    operationId: 'updateServiceAccount',
    summary: 'Update, enable or disable a service account',
    description:
      'Members that are not sent stay as they are. Takes effect on the keys of the account within a second. If you ' +
      `cannot give all scopes of the account, you can only disable it. ${rule} ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  {
    params,
    body: Type.Object(
      {
        name: Type.Optional(nameInput),
        description,
        owners: Type.Optional(owners),
        scopes: Type.Optional(scopes),
        ends_at: ends,
        enabled,
      },
      { examples: [{ enabled: false }] },
    ),
  },
  shown,
)

export const DeleteAccountRoute = describe(
  {
    operationId: 'deleteServiceAccount',
    summary: 'Delete a service account',
    description: `Ends all of its keys. ${needsProof}`,
    tag,
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  { params },
  Done,
)

export const keyList = withExample(success({ data: Type.Object({ keys: Type.Array(ApiKey) }) }), {
  success: true,
  data: { keys: [keyExample] },
})

export const ListAccountKeysRoute = describe(
  {
    operationId: 'listServiceAccountKeys',
    summary: 'List the keys of a service account',
    description: 'Valid keys first. Never returns the keys themselves.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params },
  keyList,
)

export const CreateAccountKeyRoute = describe(
  {
    operationId: 'createServiceAccountKey',
    summary: 'Create a key of a service account',
    description: `Its scopes must be scopes of the account. The owners are sent an email. ${rule} ${needsProof}`,
    tag,
    errors: [...changeErrors, 'TOO_MANY_KEYS'],
  },
  { params, body: NewKeyInput },
  withExample(success({ data: NewApiKey }), { success: true, data: newKeyExample }),
)

export const UpdateAccountKeyRoute = describe(
  {
    operationId: 'updateServiceAccountKey',
    summary: 'Update a key of a service account',
    description: `Members that are not sent stay as they are. ${rule} ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  { params: keyParams, body: KeyChangesInput },
  Done,
)

export const RotateAccountKeyRoute = describe(
  {
    operationId: 'rotateServiceAccountKey',
    summary: 'Replace a key of a service account',
    description: `The former key ends at \`overlap_until\`. ${rule} ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  { params: keyParams, body: RotationBody },
  rotated,
)

export const RevokeAccountKeyRoute = describe(
  {
    operationId: 'revokeServiceAccountKey',
    summary: 'Revoke a key of a service account',
    description: needsProof,
    tag,
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  { params: keyParams },
  Done,
)
