import type { Context } from '../../../context.ts'
import type { MethodKind } from '../queries.ts'
import { email } from './email.ts'
import type { Method } from './method.ts'
import { recovery } from './recovery.ts'
import { sms } from './sms.ts'
import { totp } from './totp.ts'

/** Every kind of second factor. Nothing outside this folder tells them apart. */
const methods: Partial<Record<MethodKind, Method>> = { email, sms, totp, recovery }

export function methodOf(kind: MethodKind): Method {
  const method = methods[kind]
  if (!method) throw new Error(`no second factor is called ${kind}`)
  return method
}

/** The kinds that people can set up here. */
export const offeredKinds = (ctx: Context): MethodKind[] =>
  (Object.keys(methods) as MethodKind[]).filter((kind) => isOffered(ctx, kind))

export const isOffered = (ctx: Context, kind: MethodKind): boolean => {
  const method = methodOf(kind)
  return method.prepare !== undefined && ctx.config.TWO_FACTOR_METHODS.includes(kind) && method.isAvailable(ctx)
}
