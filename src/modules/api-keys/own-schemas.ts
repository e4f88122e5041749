import Type from 'typebox'
import { exampleValues, withExample } from '../../http/responses/examples.ts'
import { Done, describe, Id, NullableTimestamp, success, Timestamp } from '../../http/responses/schemas.ts'
import {
  ApiKey,
  KeyChangesInput,
  keyExample,
  NewApiKey,
  NewKeyInput,
  newKeyExample,
  RotationBody,
  scopeExample,
} from './key-schemas.ts'

const tag = 'API keys'
const needsProof =
  'Requires a sign-in or reauthentication within REAUTH_WINDOW and, if the user has set up a second factor, a session ' +
  'that was confirmed with it.'
const params = Type.Object({ key_id: Type.String({ maxLength: 100, examples: [exampleValues.id] }) })
const changeErrors = ['NOT_FOUND', 'REAUTH_REQUIRED', 'KEY_SCOPE_NOT_ALLOWED'] as const

const one = withExample(success({ data: NewApiKey }), { success: true, data: newKeyExample })

export const rotated = withExample(
  success({ data: Type.Object({ ...NewApiKey.properties, overlap_until: Timestamp }) }),
  { success: true, data: { ...newKeyExample, overlap_until: exampleValues.time } },
)

export const ListKeysRoute = describe(
  {
    operationId: 'listApiKeys',
    summary: 'List your API keys',
    description:
      'Valid keys first. Never returns the keys themselves. Keys that have ended are listed for 90 days. `scopes` ' +
      'contains the scopes that a new key can have. Uses are stored once a minute.',
    tag,
  },
  {},
  withExample(success({ data: Type.Object({ keys: Type.Array(ApiKey), scopes: Type.Array(Type.String()) }) }), {
    success: true,
    data: { keys: [keyExample], scopes: [scopeExample] },
  }),
)

export const CurrentKeyRoute = describe(
  {
    operationId: 'getCurrentApiKey',
    summary: 'Get the API key of the request',
    description: 'For programs that check their own key. `scopes` contains those that the key has at present.',
    tag,
    errors: ['INVALID_CREDENTIAL'],
  },
  {},
  withExample(
    success({
      data: Type.Object({
        id: Id,
        name: Type.String(),
        scopes: Type.Array(Type.String()),
        ends_at: NullableTimestamp,
      }),
    }),
    {
      success: true,
      data: { id: exampleValues.id, name: keyExample.name, scopes: [scopeExample], ends_at: exampleValues.expiresAt },
    },
  ),
)

export const CreateKeyRoute = describe(
  {
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: `The key acts for you, with the scopes that you choose among yours. You are sent an email. ${needsProof}`,
    tag,
    errors: ['REAUTH_REQUIRED', 'KEY_SCOPE_NOT_ALLOWED', 'TOO_MANY_KEYS', 'NOT_CONFIGURED'],
  },
  { body: NewKeyInput },
  one,
)

export const UpdateKeyRoute = describe(
  {
    operationId: 'updateApiKey',
    summary: 'Update an API key',
    description: `Members that are not sent stay as they are. ${needsProof}`,
    tag,
    errors: changeErrors,
  },
  { params, body: KeyChangesInput },
  Done,
)

export const RotateKeyRoute = describe(
  {
    operationId: 'rotateApiKey',
    summary: 'Replace an API key',
    description:
      'The new key has the name, scopes and networks of the former one, which ends at `overlap_until`. Until then, both ' +
      `are valid. ${needsProof}`,
    tag,
    errors: [...changeErrors, 'NOT_CONFIGURED'],
  },
  { params, body: RotationBody },
  rotated,
)

export const RevokeKeyRoute = describe(
  {
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'The key is rejected immediately by the node that handles the request, and within a second by the others.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params },
  Done,
)

export const ReportKeyRoute = describe(
  {
    operationId: 'reportApiKey',
    summary: 'Report a leaked API key',
    description:
      'Ends a key that was found in public, and sends an email to its user or to the owners of its service account. The ' +
      'response is the same whether or not the key was valid.',
    tag,
  },
  {
    body: Type.Object(
      { key: Type.String({ minLength: 1, maxLength: 200, examples: [newKeyExample.key] }) },
      { examples: [{ key: newKeyExample.key }] },
    ),
  },
  Done,
)
