import type { SmtpError } from '../metrics/port.ts'
import { MailRefused } from './port.ts'

/** The server's reply may quote the email address, so the error contains only the code and the command. */
export function explainSmtp(error: unknown): Error {
  const { code = 'unknown', command = '', responseCode = 0 } = error as SmtpFailure
  if (command === 'RCPT TO' && isRefusal(responseCode)) {
    return new MailRefused(`the mail server refused the recipient (${responseCode})`)
  }
  const answer = responseCode
    ? `answered ${responseCode} to ${command}`
    : `failed (${[code, command].join(' ').trim()})`
  const hint = code === 'EAUTH' ? ': check the user name and password in SMTP_URL' : ''
  return new Error(`the mail server ${answer}${hint}`)
}

interface SmtpFailure {
  code?: string
  originalCode?: string
  command?: string
  responseCode?: number
}

/** After RCPT TO, 552 means "too many recipients" (RFC 5321, 4.5.3.1.10). 530 means "authentication required". */
const isRefusal = (code: number): boolean => code >= 500 && code !== 552 && code !== 530

export function smtpErrorOf(error: unknown): SmtpError {
  const { code = '', originalCode = code, command = '', responseCode = 0 } = error as SmtpFailure
  if (code === 'EAUTH' || responseCode === 530 || responseCode === 535) return 'authentication'
  if (command === 'RCPT TO' && isRefusal(responseCode)) return 'recipient_refused'
  if (responseCode >= 500) return 'rejected'
  if (responseCode >= 400) return 'deferred'
  return isAboutTls.test(originalCode) ? 'tls' : 'connection'
}

/** Matches Node.js and OpenSSL codes such as ERR_SSL_WRONG_VERSION_NUMBER and DEPTH_ZERO_SELF_SIGNED_CERT. */
const isAboutTls = /SSL|TLS|CERT|SIGNATURE/
