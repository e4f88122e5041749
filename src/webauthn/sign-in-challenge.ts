import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { equalSecrets, keyedHashBytes, sha256Bytes } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import { minute } from '../lib/time.ts'
import type { UsedChallenge } from './queries.ts'

/** In milliseconds. */
export const signInChallengeLifetime = 5 * minute

const [nonceBytes, endBytes] = [16, 6]

/**
 * Anyone can request challenges, so they are not stored. A challenge is a random value, its end and a MAC, which also
 * covers the id. Only the client that requested the challenge knows the id.
 */
export function issueSignInChallenge(ctx: Context): { id: string; challenge: string } {
  const id = newId()
  const end = Buffer.alloc(endBytes)
  end.writeUIntBE(ctx.clock.now() + signInChallengeLifetime, 0, endBytes)
  return { id, challenge: signed(ctx, id, Buffer.concat([randomBytes(nonceBytes), end])) }
}

/** Returns the row that records the use of the challenge, or undefined if the challenge is invalid or has expired. */
export function readSignInChallenge(ctx: Context, id: string, challenge: string): UsedChallenge | undefined {
  const head = Buffer.from(challenge, 'base64url').subarray(0, nonceBytes + endBytes)
  if (head.length < nonceBytes + endBytes || !equalSecrets(signed(ctx, id, head), challenge)) return undefined
  const [now, end] = [ctx.clock.now(), head.readUIntBE(nonceBytes, endBytes)]
  if (end <= now) return undefined
  return {
    id: newId(),
    purpose: 'passkey_login',
    secret_hash: sha256Bytes(challenge),
    created_at: new Date(now),
    used_at: new Date(now),
    expires_at: new Date(end),
  }
}

function signed({ config }: Context, id: string, head: Buffer): string {
  const mac = keyedHashBytes(config.AUTH_SECRET, 'passkey-sign-in', `${id}.${head.toString('base64url')}`)
  return Buffer.concat([head, mac]).toString('base64url')
}
