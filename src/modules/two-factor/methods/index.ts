import type { Context } from '../../../context.ts'
import type { MethodKind } from '../queries.ts'
import { emailMethod } from './email.ts'
import type { FactorMethod } from './method.ts'
import { passkeyMethod } from './passkey.ts'
import { recoveryMethod } from './recovery.ts'
import { smsMethod } from './sms.ts'
import { totpMethod } from './totp.ts'

const methods: Record<MethodKind, FactorMethod> = {
  email: emailMethod,
  sms: smsMethod,
  totp: totpMethod,
  passkey: passkeyMethod,
  recovery: recoveryMethod,
}

export const methodOf = (kind: MethodKind): FactorMethod => methods[kind]

export const offeredKinds = (ctx: Context): MethodKind[] =>
  (Object.keys(methods) as MethodKind[]).filter((kind) => isOffered(ctx, kind))

export const isOffered = (ctx: Context, kind: MethodKind): boolean => {
  const method = methodOf(kind)
  if (kind === 'passkey' && !ctx.config.PASSKEYS_ENABLED) return false
  return method.prepare !== undefined && ctx.config.TWO_FACTOR_METHODS.includes(kind) && method.isAvailable(ctx)
}
