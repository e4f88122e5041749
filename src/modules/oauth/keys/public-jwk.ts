import type { PublicJwk } from '../rows.ts'

const members = ['kty', 'kid', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e'] as const satisfies readonly (keyof PublicJwk)[]

/** Drops all other members, so that a private one that was stored by mistake is never published. */
export const publicJwkOf = (jwk: PublicJwk): PublicJwk =>
  Object.fromEntries(
    members.flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]])),
  ) as unknown as PublicJwk
