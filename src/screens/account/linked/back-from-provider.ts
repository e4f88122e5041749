import { CurrentRoute } from '../../../sessions/route-schemas.ts'
import { linkedPath } from '../../../ui/paths.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { maxWordLength } from './schemas.ts'

/** Returns undefined if the visitor did not start linking on an account page. */
export async function backFromProvider(
  { api }: Pick<PageVisit, 'api'>,
  { social_login, error }: { social_login?: string; error?: string },
): Promise<string | undefined> {
  if (social_login !== 'linked' && social_login !== 'error') return undefined
  const current = await api(call(CurrentRoute))
  if (!current.ok || current.body.requires_2fa) return undefined
  const problem = (error ?? '').slice(0, maxWordLength)
  return `${linkedPath}?${social_login === 'linked' ? 'done=linked' : new URLSearchParams({ problem })}`
}
