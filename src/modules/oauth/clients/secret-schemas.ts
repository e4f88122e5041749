import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import { Done, describe, Id, NullableTimestamp, success } from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { changeErrors, idInput, needsProof, clientParams as params } from './schemas.ts'

export const RotateClientSecretRoute = describe(
  {
    operationId: 'rotateOAuthClientSecret',
    summary: 'Add a secret to an OAuth client',
    description: `The former secret ends after \`overlap\`, so that there is time to replace it. ${needsProof}`,
    tag: oauthTag,
    errors: [...changeErrors, 'OAUTH_SECRET_LIMIT', 'KEY_SCOPE_NOT_ALLOWED'],
  },
  {
    params,
    body: Type.Object(
      { overlap: Type.Optional(Type.Integer({ description: 'in seconds, from 0 to 2592000; default: 604800' })) },
      { examples: [{ overlap: 86_400 }] },
    ),
  },
  withExample(
    success({
      data: Type.Object({
        id: Id,
        hint: Type.String(),
        client_secret: Type.String({ description: 'cannot be read again' }),
        overlap_until: NullableTimestamp,
      }),
    }),
    {
      success: true,
      data: { id: exampleValues.id, hint: 'wcs_4Tz…x8Qe', client_secret: 'wcs_…', overlap_until: exampleValues.time },
    },
  ),
)

export const RemoveClientSecretRoute = describe(
  {
    operationId: 'removeOAuthClientSecret',
    summary: 'Remove a secret of an OAuth client',
    description: `Takes effect within a second. All tokens of the client end, because others may know the secret. ${needsProof}`,
    tag: oauthTag,
    errors: [...changeErrors, 'NOT_FOUND'],
  },
  { params: Type.Object({ ...params.properties, secret_id: idInput }) },
  Done,
)
