import { isListed } from '../../../../../config/user-types.ts'
import type { Context } from '../../../../../context.ts'
import { AppError } from '../../../../../lib/errors.ts'
import type { AccountVisit } from '../../../../../ui/account/account-visit.ts'
import { call, type ResponseOf } from '../../../../../ui/shared/api-route.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import { MethodsRoute, SystemRoute } from '../../../method-schemas.ts'
import type { MethodKind } from '../../../queries.ts'
import type { SecurityTexts as PageTexts } from '../../texts.ts'

type Texts = PageTexts['security']
export type ListedMethodKind = MethodKind

export type ListedMethod = ResponseOf<typeof MethodsRoute>['methods'][number]

export async function findListedMethods({ api }: Pick<AccountVisit, 'api'>): Promise<ListedMethod[]> {
  const response = await api(call(MethodsRoute))
  if (!response.ok) throw new AppError(response.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE')
  return response.body.methods
}

/** Returns all kinds that the service offers, even those of which the user already has the maximum number. */
export async function offeredTo({ api }: Pick<AccountVisit, 'api'>): Promise<ListedMethodKind[]> {
  const response = await api(call(SystemRoute))
  return response.ok ? response.body.available_methods : []
}

/** Whether signing in requires a second factor. Some roles always require one. */
export const isTwoFactorOn = (ctx: Context, user: { two_factor: boolean; user_type: string }): boolean =>
  user.two_factor || isTwoFactorRequired(ctx, user)

export const isTwoFactorRequired = ({ config }: Context, { user_type }: { user_type: string }): boolean =>
  isListed(config, config.TWO_FACTOR_REQUIRED_FOR, user_type)

export const isActive = ({ status, method }: ListedMethod): boolean => status === 'active' && method !== 'recovery'

export function methodNameOf(texts: Texts, { method, identifier, metadata }: ListedMethod): string {
  const text = method === 'passkey' && metadata.name ? texts.namedPasskey : texts.kinds[method]
  return fill(text, { to: identifier ?? '', name: metadata.name ?? '' })
}

export const isSent = <Method extends Pick<ListedMethod, 'method'>>(
  listed: Method,
): listed is Method & { method: 'email' | 'sms' } => listed.method === 'email' || listed.method === 'sms'

/** All passkey errors have the same text because users cannot act on the details. */
export const passkeyProblem = (code: string): string =>
  code === 'RATE_LIMITED' || code === 'PAGE_EXPIRED' ? code : 'PASSKEY'
