import { isCertificateError } from '../fetch/failure-sentence.ts'

const reasons: [form: RegExp, sentence: string][] = [
  [/^(WRONGPASS|NOAUTH|ERR.*AUTH)/, 'refuses the login: check the user and the password in REDIS_URL'],
  [/DB index|Invalid pathname/, 'has no database with the number at the end of REDIS_URL'],
  [/^NOPERM/, 'denies the user of REDIS_URL a permission that the service needs'],
  [/^OOM/, 'is full and refuses writes: raise maxmemory, or set a maxmemory-policy that evicts keys'],
  [/^READONLY/, 'is a replica, which refuses writes: REDIS_URL must point to the primary'],
  [/^MISCONF/, 'refuses writes because it cannot save its data: check its disk and its log'],
  [/^LOADING/, 'is still loading its data: try again in a moment'],
  [/ECONNREFUSED/, 'refuses the connection: check that it is running, and check the host and the port in REDIS_URL'],
  [/ENOTFOUND|EAI_AGAIN/, 'has a host name that cannot be resolved: check REDIS_URL'],
]

/** Why Redis cannot be used, as the end of a sentence. */
export function redisReason(error: unknown, url: string): string {
  const { message = String(error), code = '' } = error as { message?: string; code?: string }
  const known = reasons.find(([form]) => form.test(message))
  if (known) return known[1]
  if (isCertificateError(code)) return `has a certificate that is not valid: ${code}`
  if (/timeout|no answer within/i.test(message)) return `does not answer in time${hints.late(url)}`
  if (/closed unexpectedly|ECONNRESET/.test(message)) return `closes the connection${hints.closed(url)}`
  return `cannot be used: ${message.split('\n', 1)[0]}`
}

/** A server that does not use TLS waits for more of the request, and one that does closes the connection. */
const hints = {
  late: (url: string) =>
    url.startsWith('rediss:') ? ': if it does not use TLS, REDIS_URL must begin with redis://' : '',
  closed: (url: string) => (url.startsWith('redis:') ? ': if it uses TLS, REDIS_URL must begin with rediss://' : ''),
}
