import { isLoopback } from '../../lib/address.ts'
import { second } from '../../lib/time.ts'
import { loadPackage } from '../load-package.ts'
import { mailbox, senderOf } from './address.ts'
import { type Mail, type Mailer, MailRefused } from './port.ts'

const stageLimit = 30 * second
/** For a server that keeps every stage alive and never ends. */
const mailLimit = 120 * second

export interface SmtpOptions {
  /** `smtp://` (STARTTLS where offered) or `smtps://`, with user and password. */
  url: string
  /** `Example <no-reply@example.com>`, or the address alone. */
  from: string
  /** How long each stage of the dialogue may take. */
  stageMs?: number
}

export async function createSmtpMailer({ url, from, stageMs = stageLimit }: SmtpOptions): Promise<Mailer> {
  const sender = senderOf(from)
  const { createTransport } = await loadPackage('nodemailer', 'SMTP_URL', () => import('nodemailer'))
  const transport = createTransport({
    ...connectionOptions(url, stageMs),
    pool: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    async send(mail, id, signal) {
      const message = compose(mail, id, sender)
      const late = AbortSignal.timeout(mailLimit)
      try {
        await transport.sendMail({ ...message, signal: signal ? AbortSignal.any([signal, late]) : late })
      } catch (error) {
        throw explain(error)
      }
    },
    async close() {
      transport.close()
    },
  }
}

/** Connects and signs in as mails will, and sends nothing. Rejects with what the server answered. */
export async function verifySmtp(url: string, stageMs: number): Promise<void> {
  const { createTransport } = await loadPackage('nodemailer', 'SMTP_URL', () => import('nodemailer'))
  // A server that offers no sign-in would not have seen the password.
  const transport = createTransport({ ...connectionOptions(url, stageMs), forceAuth: new URL(url).username !== '' })
  try {
    await transport.verify()
  } catch (error) {
    throw explain(error)
  } finally {
    transport.close()
  }
}

const connectionOptions = (url: string, stageMs: number) => ({
  url,
  // Name, connection, TLS and greeting together; then every command.
  connectionTimeout: stageMs,
  socketTimeout: stageMs,
  requireTLS: mustBeEncrypted(url),
})

/** A password never crosses a network in clear, even if someone in between hides that the server offers STARTTLS. */
function mustBeEncrypted(url: string): boolean {
  const { protocol, password, hostname, searchParams } = new URL(url)
  const isNear = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  return protocol === 'smtp:' && password !== '' && !isNear && searchParams.get('ignoreTLS') !== 'true'
}

function compose({ to, subject, text, html }: Mail, id: string, sender: ReturnType<typeof senderOf>) {
  const recipient = mailbox(to)
  if (!recipient) throw new MailRefused('the recipient is not one mail address')
  if (hasControls(subject) || !/^[\w.-]+$/.test(id)) throw new Error('a mail header must be one line')
  return {
    envelope: { from: sender.address, to: [recipient] },
    from: sender,
    to: { name: '', address: recipient },
    subject,
    text,
    html,
    messageId: `<${id}@${sender.domain}>`,
    // Keeps holiday replies and lists away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text)

/** What the server wrote may quote the address: only its code and the command are kept. */
function explain(error: unknown): Error {
  const { code = 'unknown', command = '', responseCode = 0 } = error as SmtpError
  if (command === 'RCPT TO' && isRefusal(responseCode)) {
    return new MailRefused(`the mail server refused the recipient (${responseCode})`)
  }
  const answer = responseCode
    ? `answered ${responseCode} to ${command}`
    : `failed (${[code, command].join(' ').trim()})`
  const hint = code === 'EAUTH' ? ': check user and password in SMTP_URL' : ''
  return new Error(`the mail server ${answer}${hint}`)
}

interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
}

/** At this command 552 means "too many recipients now" (RFC 5321, 4.5.3.1.10), and 530 that we must sign in first. */
const isRefusal = (code: number): boolean => code >= 500 && code !== 552 && code !== 530
