import { stripVTControlCharacters } from 'node:util'
import { isCertificateError } from '../adapters/fetch/failure-sentence.ts'
import { AppError } from '../lib/errors.ts'

/** The exit code is EX_CONFIG (sysexits.h) if a setting is the cause, so that supervisors do not retry. */
export function fail(error: unknown, exitCode: 1 | 78 = 1): never {
  process.stderr.write(`${safeForTerminal(explain(error))}\n`)
  process.exit(exitCode)
}

/** A message may quote text from a file or a server, which must not control the terminal. */
export const safeForTerminal = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}/gu, '')

const advice: Record<string, string> = {
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  ECONNREFUSED: 'The database server does not answer: check that it is running, and check DATABASE_URL',
  ENOTFOUND: 'The host name of the database server cannot be resolved: check DATABASE_URL',
  EACCES: 'Permission denied: check DATA_DIR and PORT',
  ENOSPC: 'The disk is full',
  '28P01': 'PostgreSQL refused the login: check user and password in DATABASE_URL',
  '28000': 'PostgreSQL refused the login: check user and password in DATABASE_URL',
  '25006': 'The database is read-only: DATABASE_URL must point to the primary server',
  '3D000': 'The database does not exist: create it first',
  '42501':
    'The database user lacks a privilege: it must own the database, or be allowed to create schemas and tables in it',
  '57P03': 'PostgreSQL is starting up: try again in a moment',
}

const untrusted =
  'The certificate of the database server is not valid: set sslrootcert in DATABASE_URL to a file with the certificate of its authority, and use the host name in the certificate'

const withoutCode: [message: RegExp, sentence: string][] = [
  [
    /does not support SSL connections/,
    'The database server does not use TLS: turn on TLS there or, only on a network that you trust, set sslmode=disable in DATABASE_URL',
  ],
]

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AppError) return withDetails(error)
  // If a host has several addresses, the error contains one error for each failed connection.
  const message = error instanceof AggregateError ? error.errors.map(explainPart).join(', ') : error.message
  const code = 'code' in error ? String(error.code) : ''
  const known =
    portAdvice(error, code) ??
    rejectionAdvice(error, code) ??
    advice[code] ??
    (isCertificateError(code) ? `${untrusted} (${code})` : undefined)
  const sentence = known ?? withoutCode.find(([form]) => form.test(message))?.[1]
  if (sentence) return message ? `${sentence} (${message})` : sentence
  return isOurFault(error) ? (error.stack ?? message) : message
}

function portAdvice(error: Error, code: string): string | undefined {
  if (code !== 'EADDRINUSE') return undefined
  const port = 'port' in error ? Number(error.port) : 3000
  const other = port < 65_535 ? port + 1 : port - 1
  return `The port ${port} is in use by another program: stop that program, or choose another port with PORT=${other}`
}

/** Other servers than the database can refuse a connection, such as the one that sends email or stores files. */
function rejectionAdvice(error: Error, code: string): string | undefined {
  if (code !== 'ECONNREFUSED') return undefined
  const [first = error] = error instanceof AggregateError ? error.errors : []
  const { address, port } = first as { address?: string; port?: number }
  if (port === undefined || isDatabasePort(port)) return undefined
  return `${address}:${port} refuses the connection: check that the server there is running, and check the setting with its address`
}

function isDatabasePort(port: number): boolean {
  const { DATABASE_URL: url = '' } = process.env
  // The URL can name several hosts, each with its port.
  return new RegExp(`:${port}(?=[,/?]|$)`).test(url) || (port === 5432 && url !== '')
}

const withDetails = ({ code, message, details = [] }: AppError): string =>
  code === 'VALIDATION_ERROR' ? details.map(({ field, message: wrong }) => `${field} ${wrong}`).join('\n') : message

const explainPart = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const isOurFault = (error: Error): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
