import { randomBytes } from 'node:crypto'
import { idFromHex } from '../../../lib/ids.ts'

/**
 * The `jti` of a JWT: the id of the client's row, the client's epoch, and 8 random bytes. The client is found by it without
 * storing the token, and the epoch tells whether the client was disabled in the meantime.
 */
export const newTokenId = ({ id, epoch }: { id: string; epoch: number }): string =>
  [
    Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
    epoch.toString(36),
    randomBytes(8).toString('base64url'),
  ].join('.')

/** The `jti` of a JWT of a user: the id of the grant, and 8 random bytes. A grant that has ended is not given again. */
export const newGrantTokenId = ({ id }: { id: string }): string =>
  [Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'), randomBytes(8).toString('base64url')].join('.')

export function grantOfTokenId(jti: unknown): string | undefined {
  const [, id = ''] = typeof jti === 'string' ? (/^([\w-]{22})\.[\w-]{11}$/.exec(jti) ?? []) : []
  return id === '' ? undefined : idFromHex(Buffer.from(id, 'base64url').toString('hex'))
}

export function clientOfTokenId(jti: unknown): { id: string; epoch: number } | undefined {
  const [, id = '', epoch = ''] =
    typeof jti === 'string' ? (/^([\w-]{22})\.([0-9a-z]{1,11})\.[\w-]{11}$/.exec(jti) ?? []) : []
  if (id === '') return undefined
  return { id: idFromHex(Buffer.from(id, 'base64url').toString('hex')), epoch: Number.parseInt(epoch, 36) }
}
