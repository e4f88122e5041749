import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { Context } from '../../../context.ts'
import { second } from '../../../lib/time.ts'
import { countAuthorizationRequests } from './request-queries.ts'

/** Of all browsers together. What arrives until the next count has room below 50,000. */
const maxOpen = 45_000

interface Counted {
  at: number
  isCrowded: boolean
}

const lastOf = onePerDatabase((): { counted: Counted | undefined } => ({ counted: undefined }))

/** Whether many requests for authorization are open. Counted once a second, because counting takes longer than all the rest. */
export async function isCrowded(ctx: Context): Promise<boolean> {
  const last = lastOf(ctx)
  const at = ctx.clock.now()
  if (last.counted && Math.abs(at - last.counted.at) < second) return last.counted.isCrowded
  // Others use the last result meanwhile.
  last.counted = { at, isCrowded: last.counted?.isCrowded ?? false }
  last.counted = { at, isCrowded: (await countAuthorizationRequests(ctx.db, maxOpen)) >= maxOpen }
  return last.counted.isCrowded
}
