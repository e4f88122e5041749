import type { Context } from '../../../context.ts'
import { minute } from '../../../lib/time.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { confirmPath } from '../../../ui/flow/end-flow.ts'

/**
 * The browser downloads files directly from the API, which requires recent authentication. The margin leaves time
 * to start the download.
 */
const margin = 2 * minute

/**
 * Returns the URL of a page that reauthenticates the user and then redirects to `address`. Undefined if the user has
 * authenticated recently.
 */
export function addressToConfirm(
  { clock, config }: Context,
  { provenAt }: AdminVisit,
  address: string,
  outcome: string | undefined,
): string | undefined {
  if (config.REAUTH_WINDOW === 0 || outcome !== undefined) return undefined
  if (clock.now() - provenAt <= config.REAUTH_WINDOW - margin) return undefined
  return `${confirmPath}?next=${encodeURIComponent(address)}`
}
