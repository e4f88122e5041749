import type { Transaction } from '../context.ts'
import { AppError, limitEnd } from '../lib/errors.ts'
import { hour, second } from '../lib/time.ts'
import { countMessage } from '../outbox/queries.ts'

const cap = { attempts: 5, windowMs: hour }

/** Each change mails an address of the user's choice, so limits per address do not help. */
export async function countStart({ clock, db }: Transaction, userId: string): Promise<void> {
  const { count, seconds_left } = await countMessage(db, `email-change:${userId}`, cap.windowMs)
  if (count <= cap.attempts) return
  const { retryAfter, resetsAt } = limitEnd(clock.now(), Math.min(seconds_left * second, cap.windowMs))
  throw new AppError('RATE_LIMITED', { retryAfter, limit: { limit: cap.attempts, remaining: 0, resetsAt } })
}
