import { isLoopback } from '../../lib/address.ts'
import { type MailSender, mailbox, senderOf } from '../../lib/mail-address.ts'
import { second } from '../../lib/time.ts'
import type { SmtpError } from '../metrics/port.ts'
import { type Mail, type Mailer, MailRejected } from './port.ts'
import { explainSmtp, smtpErrorOf } from './smtp-errors.ts'

const stageLimit = 30 * second
/** Limits a delivery's total time, because a slow server may stay below the timeout at every stage. */
const mailLimit = 120 * second

export interface SmtpOptions {
  url: string
  /** Called for every email because the sender can be changed while the service runs. */
  from: () => string
  stageMs?: number
  onError?: ((outcome: SmtpError) => void) | undefined
}

export async function createSmtpMailer({ url, from, stageMs = stageLimit, onError }: SmtpOptions): Promise<Mailer> {
  getSender(from())
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...connectionOptions(url, stageMs),
    pool: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    isConfigured: true,
    async send(mail, id, signal) {
      const message = compose(mail, id, getSender(from()))
      const late = AbortSignal.timeout(mailLimit)
      try {
        await transport.sendMail({ ...message, signal: signal ? AbortSignal.any([signal, late]) : late })
      } catch (error) {
        // A delivery cancelled during shutdown is not a mail server error.
        if (!signal?.aborted) onError?.(smtpErrorOf(error))
        throw explainSmtp(error)
      }
    },
    async close() {
      transport.close()
    },
  }
}

export async function verifySmtp(url: string, stageMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer')
  // Without `forceAuth`, verification would skip authentication, and succeed, on a server that does not offer it.
  const transport = createTransport({ ...connectionOptions(url, stageMs), forceAuth: new URL(url).username !== '' })
  try {
    await transport.verify()
  } catch (error) {
    throw explainSmtp(error)
  } finally {
    transport.close()
  }
}

const connectionOptions = (url: string, stageMs: number) => ({
  url,
  // connectionTimeout covers the DNS lookup, connection, TLS and greeting. socketTimeout covers every command.
  connectionTimeout: stageMs,
  socketTimeout: stageMs,
  requireTLS: mustBeEncrypted(url),
})

/**
 * If the URL contains a password, TLS is required, so that an attacker cannot suppress STARTTLS. Loopback addresses and
 * URLs with `ignoreTLS=true` are exempt.
 */
function mustBeEncrypted(url: string): boolean {
  const { protocol, password, hostname, searchParams } = new URL(url)
  const isNear = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  return protocol === 'smtp:' && password !== '' && !isNear && searchParams.get('ignoreTLS') !== 'true'
}

function getSender(from: string): MailSender {
  const sender = senderOf(from)
  if (!sender) throw new Error('MAIL_FROM must be an address such as "Example <no-reply@example.com>"')
  return sender
}

function compose({ to, subject, text, html }: Mail, id: string, sender: MailSender) {
  const recipient = mailbox(to)
  if (!recipient) throw new MailRejected('the recipient must be a single email address')
  if (hasControls(subject) || !/^[\w.-]+$/.test(id)) throw new Error('an email header must be one line')
  return {
    envelope: { from: sender.address, to: [recipient] },
    from: sender,
    to: { name: '', address: recipient },
    subject,
    text,
    html,
    messageId: `<${id}@${sender.domain}>`,
    // Prevents automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text)
