import type { Transaction } from '../context.ts'
import { AppError, limitEnd } from '../lib/errors.ts'
import { hour, second } from '../lib/time.ts'
import { countMessage } from '../outbox/queries.ts'

const cap = { attempts: 5, windowMs: hour }

/**
 * Counts one more change of address that a user starts. Each one mails an address of their choice: the cap of an address
 * does not help where every mail goes to another stranger. What is refused rolls back with its transaction, its count
 * as well.
 */
export async function countStart({ clock, db }: Transaction, userId: string): Promise<void> {
  const { count, seconds_left } = await countMessage(db, `email-change:${userId}`, cap.windowMs)
  if (count <= cap.attempts) return
  const { retryAfter, resetsAt } = limitEnd(clock.now(), Math.min(seconds_left * second, cap.windowMs))
  throw new AppError('RATE_LIMITED', { retryAfter, limit: { limit: cap.attempts, remaining: 0, resetsAt } })
}
