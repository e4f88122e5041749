import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { namedSchema } from '../http/responses/schemas.ts'

const bytes = (maxLength: number, description?: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, ...(description && { description }) })

/** A PublicKeyCredential as returned by toJSON() (WebAuthn level 3, 5.1.8). */
export const PasskeyResponse = namedSchema(
  'PasskeyResponse',
  Type.Object(
    {
      id: bytes(1400),
      rawId: bytes(1400),
      type: Type.Literal('public-key'),
      response: Type.Object({
        clientDataJSON: bytes(4000),
        attestationObject: Type.Optional(bytes(10_000, 'present when a passkey is created')),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
        authenticatorData: Type.Optional(bytes(4000, 'present when a passkey is used')),
        signature: Type.Optional(bytes(4000)),
        userHandle: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 128 })),
      }),
      clientExtensionResults: Type.Optional(
        Type.Object({ credProps: Type.Optional(Type.Object({ rk: Type.Optional(Type.Boolean()) })) }),
      ),
    },
    { description: 'the credential from navigator.credentials, as returned by toJSON()' },
  ),
)
export type PasskeyResponse = Static<typeof PasskeyResponse>

export const isPasskeyResponse = (value: unknown): value is PasskeyResponse => Value.Check(PasskeyResponse, value)

const CredentialDescriptor = namedSchema(
  'CredentialDescriptor',
  Type.Object({
    type: Type.Literal('public-key'),
    id: Type.String(),
    transports: Type.Optional(Type.Array(Type.String())),
  }),
)

export const RequestOptions = namedSchema(
  'PasskeyRequestOptions',
  Type.Object(
    {
      challenge: Type.String(),
      timeout: Type.Integer({ description: 'milliseconds' }),
      rpId: Type.String(),
      allowCredentials: Type.Array(CredentialDescriptor),
      userVerification: Type.String(),
    },
    {
      description: 'convert with PublicKeyCredential.parseRequestOptionsFromJSON and pass to navigator.credentials.get',
    },
  ),
)

export const CreationOptions = namedSchema(
  'PasskeyCreationOptions',
  Type.Object(
    {
      rp: Type.Object({ id: Type.String(), name: Type.String() }),
      user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
      challenge: Type.String(),
      pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
      timeout: Type.Integer({ description: 'milliseconds' }),
      excludeCredentials: Type.Array(CredentialDescriptor),
      authenticatorSelection: Type.Object({
        residentKey: Type.String(),
        requireResidentKey: Type.Boolean(),
        userVerification: Type.String(),
      }),
      attestation: Type.String(),
      extensions: Type.Object({ credProps: Type.Boolean() }),
    },
    {
      description:
        'convert with PublicKeyCredential.parseCreationOptionsFromJSON and pass to navigator.credentials.create',
    },
  ),
)
