import type { Context } from '../../../context.ts'
import type { MethodKind } from '../queries.ts'
import { email } from './email.ts'
import type { Method } from './method.ts'
import { passkey } from './passkey.ts'
import { recovery } from './recovery.ts'
import { sms } from './sms.ts'
import { totp } from './totp.ts'

const methods: Record<MethodKind, Method> = { email, sms, totp, passkey, recovery }

export const methodOf = (kind: MethodKind): Method => methods[kind]

export const offeredKinds = (ctx: Context): MethodKind[] =>
  (Object.keys(methods) as MethodKind[]).filter((kind) => isOffered(ctx, kind))

export const isOffered = (ctx: Context, kind: MethodKind): boolean => {
  const method = methodOf(kind)
  return method.prepare !== undefined && ctx.config.TWO_FACTOR_METHODS.includes(kind) && method.isAvailable(ctx)
}
