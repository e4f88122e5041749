import type { Tracing } from '../tracing/port.ts'
import type { Mailer } from './port.ts'

/** Emails are sent after the response to the request that causes them, so each has its own trace. */
export function tracedMailer(mailer: Mailer, tracing: Tracing | undefined): Mailer {
  if (!tracing) return mailer
  const span = { name: 'send email', kind: 'client', attributes: {} } as const
  return {
    ...mailer,
    send: (mail, id, signal) => tracing.inOwnTrace(span, () => mailer.send(mail, id, signal)),
  }
}
