import { isCertificateError } from '../fetch/failure-sentence.ts'
import type { SmtpError } from '../metrics/port.ts'
import { MailRejected } from './port.ts'

/** The server's reply may quote the email address, so the error contains only the code and the command. */
export function explainSmtp(error: unknown): Error {
  const { code = 'unknown', originalCode = code, command = '', responseCode = 0 } = error as SmtpFailure
  if (command === 'RCPT TO' && isRejection(responseCode)) {
    return new MailRejected(`the mail server refused the recipient (${responseCode})`)
  }
  const response = responseCode
    ? `answered ${responseCode} to ${command}`
    : (connectionFailure(originalCode) ?? `failed (${[originalCode, command].join(' ').trim()})`)
  return new Error(`the mail server ${response}${hints[code] ?? ''}`)
}

const hints: Readonly<Record<string, string>> = {
  EAUTH: ': check the user name and password in SMTP_URL',
  ETLS: ': it must offer TLS, because SMTP_URL contains a password or requires TLS',
}

function connectionFailure(code: string): string | undefined {
  if (isCertificateError(code)) return `has a certificate that is not valid: ${code}`
  if (code.startsWith('ERR_SSL_'))
    return 'does not begin with TLS: SMTP_URL must begin with smtp:// (usually with port 587) instead of smtps://'
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'refused the connection: check the host and the port in SMTP_URL',
    ENOTFOUND: 'has a host name that cannot be resolved: check SMTP_URL',
    EAI_AGAIN: 'has a host name that cannot be resolved at the moment',
    ETIMEDOUT: 'did not respond in time: check the host and the port in SMTP_URL; port 465 needs smtps://',
    ECONNRESET: 'closed the connection',
    ECONNECTION: 'closed the connection',
  }
  return known[code]
}

interface SmtpFailure {
  code?: string
  originalCode?: string
  command?: string
  responseCode?: number
}

/** After RCPT TO, 552 means "too many recipients" (RFC 5321, 4.5.3.1.10). 530 means "authentication required". */
const isRejection = (code: number): boolean => code >= 500 && code !== 552 && code !== 530

export function smtpErrorOf(error: unknown): SmtpError {
  const { code = '', originalCode = code, command = '', responseCode = 0 } = error as SmtpFailure
  if (code === 'EAUTH' || responseCode === 530 || responseCode === 535) return 'authentication'
  if (command === 'RCPT TO' && isRejection(responseCode)) return 'recipient_refused'
  if (responseCode >= 500) return 'rejected'
  if (responseCode >= 400) return 'deferred'
  return isAboutTls.test(originalCode) ? 'tls' : 'connection'
}

/** Matches Node.js and OpenSSL codes such as ERR_SSL_WRONG_VERSION_NUMBER and DEPTH_ZERO_SELF_SIGNED_CERT. */
const isAboutTls = /SSL|TLS|CERT|SIGNATURE/
