import type { Visit } from '../../shared/visit.ts'
import { linkedPath } from './paths.ts'
import { maxWordLength } from './schemas.ts'

/**
 * Redirects users who return from a provider to the account page on which they started linking. Returns undefined for
 * all other visitors.
 */
export async function backFromProvider(
  { api }: Pick<Visit, 'api'>,
  { social_login, error }: { social_login?: string; error?: string },
): Promise<string | undefined> {
  if (social_login !== 'linked' && social_login !== 'error') return undefined
  const current = await api<{ requires_2fa: boolean }>({ method: 'GET', path: '/auth/session/current' })
  if (!current.ok || current.body.requires_2fa) return undefined
  const problem = (error ?? '').slice(0, maxWordLength)
  return `${linkedPath}?${social_login === 'linked' ? 'done=linked' : new URLSearchParams({ problem })}`
}
