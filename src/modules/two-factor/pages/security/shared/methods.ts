import type { Context } from '../../../../../context.ts'
import { AppError } from '../../../../../lib/errors.ts'
import type { AccountVisit } from '../../../../../ui/account/account-visit.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import type { SecurityTexts as PageTexts } from '../../texts.ts'

type Texts = PageTexts['security']
export type ListedMethodKind = keyof Texts['kinds']

export interface ListedMethod {
  id: string
  method: ListedMethodKind
  status: 'active' | 'pending_setup'
  /** A masked email address or phone number. */
  identifier: string | null
  last_used_at: string | null
  created_at: string
  metadata: { name?: string; remaining?: number }
}

export async function findListedMethods({ api }: Pick<AccountVisit, 'api'>): Promise<ListedMethod[]> {
  const answer = await api<{ methods: ListedMethod[] }>({ method: 'GET', path: '/auth/two_factor/methods' })
  if (!answer.ok) throw new AppError(answer.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE')
  return answer.body.methods
}

/** Returns all kinds that the service offers, even those of which the user already has the maximum number. */
export async function offeredTo({ api }: Pick<AccountVisit, 'api'>): Promise<ListedMethodKind[]> {
  const answer = await api<{ available_methods: ListedMethodKind[] }>({
    method: 'GET',
    path: '/auth/two_factor/system',
  })
  return answer.ok ? answer.body.available_methods : []
}

/** Whether signing in requires a second factor. Some roles always require one. */
export const isTwoFactorOn = (ctx: Context, user: { two_factor: boolean; user_type: string }): boolean =>
  user.two_factor || isTwoFactorRequired(ctx, user)

export const isTwoFactorRequired = ({ config }: Context, { user_type }: { user_type: string }): boolean =>
  config.TWO_FACTOR_REQUIRED_FOR.includes(user_type)

export const isActive = ({ status, method }: ListedMethod): boolean => status === 'active' && method !== 'recovery'

export function methodNameOf(texts: Texts, { method, identifier, metadata }: ListedMethod): string {
  const text = method === 'passkey' && metadata.name ? texts.namedPasskey : texts.kinds[method]
  return fill(text, { to: identifier ?? '', name: metadata.name ?? '' })
}

export const isSent = <Method extends Pick<ListedMethod, 'method'>>(
  listed: Method,
): listed is Method & { method: 'email' | 'sms' } => listed.method === 'email' || listed.method === 'sms'

/** Parses the text written by the page's script. Returns undefined if it is not valid JSON. */
export function passkeyAnswer(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** All passkey errors have the same text because users cannot act on the details. */
export const passkeyProblem = (code: string): string =>
  code === 'RATE_LIMITED' || code === 'PAGE_EXPIRED' ? code : 'PASSKEY'
