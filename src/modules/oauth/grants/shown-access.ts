import { inWords } from '../../../http/access/device.ts'
import { iso } from '../../../lib/time.ts'
import type { ListedAccess } from './list-queries.ts'

const time = (value: Date | null) => value && iso(value)

export const shownAccess = ({ grants, ...row }: ListedAccess) => ({
  ...{ client_id: row.client_id, name: row.name, scopes: row.scopes, targets: row.targets },
  ...{ consent_until: time(row.consent_until), first_used_at: time(row.first_used_at) },
  last_used_at: time(row.last_used_at),
  grants: grants.map(({ id, created_at, last_used_at, is_offline, user_agent }) => ({
    ...{ id, created_at: iso(new Date(created_at)), last_used_at: iso(new Date(last_used_at)), offline: is_offline },
    device: inWords(user_agent),
  })),
})
