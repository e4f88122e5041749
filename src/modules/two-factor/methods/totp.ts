import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { Context, UserRow } from '../../../context.ts'
import { isSealedByOldKey, seal, tryUnseal } from '../../../lib/seal.ts'
import { second } from '../../../lib/time.ts'
import { consumeTimeStep } from '../queries.ts'
import type { FactorMethod, NewMethod } from './method.ts'
import { assertSixDigits } from './sent-code.ts'

/** All authenticator apps support these parameters (RFC 6238). */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** The previous and next time steps are also accepted because clocks may differ. */
const window = 1
const seedBytes = 20

export const totpMethod: FactorMethod = {
  maxPerUser: 5,
  isAvailable: () => true,
  masked: () => null,
  prepare,
  start: async () => ({ sent: false }),
  assertForm: assertSixDigits,
  check: async (ctx, row, _occasion, { code = '' }) => {
    const sealed = row.secret ?? ''
    const seed = tryUnseal(ctx.dataKeys, sealed)
    if (seed === undefined) {
      // The encryption key is not configured. The user can use another method, and administrators can remove this one.
      ctx.log.error({ method: row.id }, 'could not decrypt the seed of an authenticator')
      return { right: false }
    }
    const now = ctx.clock.now()
    const token = { ...form, secret: Secret.fromBase32(seed), token: code, timestamp: now, window }
    const delta = TOTP.validate(token)
    if (delta === null) return { right: false }
    const step = Math.floor(now / (form.period * second)) + delta
    const resealed = isSealedByOldKey(ctx.dataKeys, sealed) ? seal(ctx.dataKeys, seed) : sealed
    return { right: await consumeTimeStep(ctx.db, row.id, step, resealed) }
  },
}

function prepare({ config, dataKeys }: Context, user: UserRow): NewMethod {
  const seed = new Secret({ size: seedBytes }).base32
  return { identifier: null, secret: seal(dataKeys, seed), shown: shownSeed(seed, config.APP_NAME, user.email) }
}

export function shownSeed(seed: string, issuer: string, email: string) {
  const address = new TOTP({ ...form, secret: Secret.fromBase32(seed), issuer, label: email }).toString()
  return { secret: seed, otpauth_url: address, qr_svg: renderSVG(address) }
}

export const looksLikeSeed = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text)

/** Normalizes an imported seed. Returns undefined if the seed is not 10 to 64 bytes in base32. */
export function canonicalSeed(text: string): string | undefined {
  const seed = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  return /^[A-Z2-7]{16,103}$/.test(seed) ? seed : undefined
}
