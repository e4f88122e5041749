import { AppError } from '../../../../../lib/errors.ts'
import type { Member } from '../../../../../pages/account/shared/member.ts'
import { fill } from '../../../../../pages/texts/index.ts'
import type { Texts as PageTexts } from '../../texts.ts'

type Texts = PageTexts['security']
export type Kind = keyof Texts['kinds']

export interface Method {
  id: string
  method: Kind
  status: 'active' | 'pending_setup'
  /** Masked. */
  identifier: string | null
  last_used_at: string | null
  created_at: string
  metadata: { name?: string; remaining?: number }
}

export async function methodsOf({ api }: Pick<Member, 'api'>): Promise<Method[]> {
  const answer = await api<{ methods: Method[] }>({ method: 'GET', path: '/auth/two_factor/methods' })
  if (!answer.ok) throw new AppError(answer.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE')
  return answer.body.methods
}

export async function offeredTo({ api }: Pick<Member, 'api'>): Promise<Kind[]> {
  const answer = await api<{ available_methods: Kind[] }>({ method: 'GET', path: '/auth/two_factor/system' })
  return answer.ok ? answer.body.available_methods : []
}

export const isActive = ({ status, method }: Method): boolean => status === 'active' && method !== 'recovery'

export function nameOf(texts: Texts, { method, identifier, metadata }: Method): string {
  const text = method === 'passkey' && metadata.name ? texts.namedPasskey : texts.kinds[method]
  return fill(text, { to: identifier ?? '', name: metadata.name ?? '' })
}

export const isSent = ({ method }: Pick<Method, 'method'>): boolean => method === 'email' || method === 'sms'
