import { randomBytes } from 'node:crypto'
import { idFromHex } from '../../../lib/ids.ts'

/** For whom and for what a token was issued. */
export interface IssuedFor {
  holder: TokenHolder
  /** Of the client and of the resource, when the token was issued. */
  clientEpoch: number
  resourceEpoch: number
}

/** The token of a machine names its client, by the id of the row, and that of a user its grant. */
export type TokenHolder = { clientId: string; grantId?: never } | { grantId: string; clientId?: never }

/**
 * The `jti` of a JWT: its holder, the epochs, and 8 random bytes. The holder is found by it without storing the token, and the
 * epochs tell whether the client or the resource was disabled in the meantime.
 */
export const newTokenId = ({ holder, clientEpoch, resourceEpoch }: IssuedFor): string =>
  [
    Buffer.from((holder.grantId ?? holder.clientId).replaceAll('-', ''), 'hex').toString('base64url'),
    ...(holder.grantId === undefined ? [] : ['g']),
    ...[clientEpoch, resourceEpoch].map((epoch) => epoch.toString(36)),
    randomBytes(8).toString('base64url'),
  ].join('.')

const form = /^([\w-]{22})(\.g)?\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.[\w-]{11}$/

export function parseTokenId(jti: unknown): IssuedFor | undefined {
  const [, encoded = '', isOfGrant, ...epochs] = typeof jti === 'string' ? (form.exec(jti) ?? []) : []
  const [clientEpoch, resourceEpoch] = epochs.map((epoch) => Number.parseInt(epoch ?? '', 36))
  if (clientEpoch === undefined || resourceEpoch === undefined) return undefined
  const id = idFromHex(Buffer.from(encoded, 'base64url').toString('hex'))
  return { holder: isOfGrant === undefined ? { clientId: id } : { grantId: id }, clientEpoch, resourceEpoch }
}
