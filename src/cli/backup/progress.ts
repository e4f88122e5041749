import type { PostponedDeletions } from '../../backup/postpone-deletions.ts'
import type { OnProgress } from '../../backup/write-backup.ts'
import { second } from '../../lib/time.ts'

export function showProgress(): OnProgress {
  const every = process.stderr.isTTY ? second : 10 * second
  let last = performance.now()
  return (part, count) => {
    if (performance.now() - last < every) return
    last = performance.now()
    process.stderr.write(`${part}: ${count.toLocaleString('en')}\n`)
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const describeRevoked = (secrets: number): string | false =>
  secrets > 0 &&
  `Revoked ${secrets} bridge secrets of applications. Create new ones: wardenry application create-secret`

export const describePostponed = ({ deletions, erasures }: PostponedDeletions): string | false =>
  deletions + erasures > 0 &&
  `Postponed until a week from now: ${deletions} requested deletions, and the erasure of ${erasures} deleted users. ` +
    'They may have been cancelled in the meantime.'

export const describeEndedKeys = (keys: number): string | false =>
  keys > 0 && `Ended ${keys} API keys. Create new ones where programs need them.`
