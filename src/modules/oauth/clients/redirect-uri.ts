import { isLocal } from '../../../applications/application-set.ts'
import { AppError } from '../../../lib/errors.ts'
import type { ClientType, UserClientType } from '../rows.ts'
import { problemOfAddress } from './address-problem.ts'

interface RedirectRules {
  isProduction: boolean
  /** The member of the request that contains the address. */
  field?: string
}

/** The address itself, which must be registered exactly as clients send it. Throws OAUTH_REDIRECT_INVALID. */
export function readRedirectUri(
  text: string,
  type: UserClientType,
  { isProduction, field = 'redirect_uris' }: RedirectRules,
): string {
  const problem = problemOfAddress(text) ?? problemOfTarget(new URL(text), { type, isProduction })
  if (problem === undefined) return text
  const shown = JSON.stringify(text.slice(0, 200))
  throw new AppError('OAUTH_REDIRECT_INVALID', {
    sentence: `The address ${shown} ${problem}`,
    details: [{ field, message: `contains ${shown}, which ${problem}` }],
  })
}

interface Targeted {
  type: UserClientType
  isProduction: boolean
}

const problemOfTarget = (url: URL, targeted: Targeted): string | undefined =>
  mayReceive(url, targeted) ? problemOfQuery(url) : needed(targeted)

function mayReceive(url: URL, { type, isProduction }: Targeted): boolean {
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLocal(url) && (type !== 'web' || !isProduction)
  return type === 'native' && isPrivateUse(url)
}

/** The reverse of a domain, which its owner alone uses (RFC 8252, 7.1). `com.example.app:/cb`. */
const isPrivateUse = ({ protocol, href }: URL): boolean =>
  /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+:$/.test(protocol) && href.startsWith(`${protocol}/`)

function needed({ type, isProduction }: Targeted): string {
  if (type === 'native') return 'must be https, http on loopback, or have a scheme such as com.example.app:/callback'
  return type === 'web' && isProduction ? 'must be https' : 'must be https, or http on localhost, 127.0.0.1 or [::1]'
}

/** Members of responses. A registered one of the same name would reach the client twice. */
const membersOfResponse = new Set(['code', 'state', 'error', 'iss', 'response', 'id_token'])

function problemOfQuery({ search }: URL): string | undefined {
  const found = namesIn(search).find((name) => membersOfResponse.has(name))
  return found && `must not have the query member ${found}, which is part of responses`
}

/** As the most lenient server may read them: also separated by semicolons, in any letter case, and as lists. */
const namesIn = (search: string): string[] =>
  [...new URLSearchParams(search.replaceAll(';', '&')).keys()].map((name) =>
    (name.trim().split('[', 1)[0] ?? '').replaceAll(/[. ]/g, '_').toLowerCase(),
  )

/**
 * Addresses are equal byte by byte (RFC 9700, 4.1.3). Only the port of a native client on loopback may differ, which it gets
 * from the operating system (RFC 8252, 7.3).
 */
export const matchRedirectUri = (registered: readonly string[], sent: string, type: ClientType): boolean =>
  registered.includes(sent) || (type === 'native' && matchesOnAnyPort(registered, sent))

function matchesOnAnyPort(registered: readonly string[], sent: string): boolean {
  const wanted = withoutPort(sent)
  return wanted !== undefined && registered.some((one) => withoutPort(one) === wanted)
}

/** Undefined unless the host is written exactly so. Other spellings of these hosts are not equal to them. */
function withoutPort(address: string): string | undefined {
  const [, host, port, rest] =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?((?:[/?].*)?)$/.exec(address) ?? []
  return host === undefined || Number(port ?? 80) > 65_535 ? undefined : `${host}${rest}`
}
