import { iso } from '../lib/time.ts'
import type { EmailChange } from './change-queries.ts'

export const pendingChange = ({ new_email, expires_at }: EmailChange) => ({
  status: 'pending' as const,
  new_email,
  expires_at: iso(expires_at),
})

export const changeStatus = (pending: EmailChange | undefined) =>
  pending
    ? {
        ...pendingChange(pending),
        confirmed: { current: pending.current_confirmed_at !== null, new: pending.new_confirmed_at !== null },
      }
    : { status: 'none' as const, new_email: null, confirmed: null, expires_at: null }
