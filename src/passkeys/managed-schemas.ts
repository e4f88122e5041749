import Type from 'typebox'
import { namedSchema } from '../http/responses/schemas.ts'
import { OwnPasskey } from './passkey-schemas.ts'

/** As administrators see it. */
export const ManagedPasskey = namedSchema(
  'ManagedPasskey',
  Type.Object({
    ...OwnPasskey.properties,
    authenticator: Type.String({
      description: 'the name of the authenticator or password manager; `Passkey` if unknown',
    }),
  }),
)
