import type { Config } from '../../config/load.ts'
import type { Application, Applications } from '../../context.ts'
import { isBelow, isWeb } from '../../lib/return-address.ts'

export interface Targets {
  config: Pick<Config, 'ALLOWED_REDIRECTS' | 'FRONTEND_URL' | 'PUBLIC_URL'>
  applications: Pick<Applications, 'current'>
}

interface ReturnAddress {
  /** As serialized by the parser, because another parser could interpret the input differently. */
  url: string
  /** The stored application that it belongs to. Undefined if it is an address in the settings. */
  application: Application | undefined
}

export const allowedReturnAddress = (targets: Targets, input: string | undefined): string | undefined =>
  findReturnAddress(targets, input)?.url

/** Undefined if the address is not allowed. */
export function findReturnAddress(targets: Targets, input: string | undefined): ReturnAddress | undefined {
  if (input === undefined || input.length > maxAddressLength || suspect.test(input)) return undefined
  const url = URL.parse(input)
  if (!url || url.username || url.password || url.href.length > maxAddressLength) return undefined
  const owner = ownerOf(targets, url)
  return owner && !owner.isDisabled ? { url: url.href, application: owner.application } : undefined
}

export interface Rejection {
  /**
   * `not_declared`: neither the settings nor an application contain the address. `malformed`: they do, but it contains
   * characters or a user name that are not allowed. `parameter`: it is allowed, so another parameter is wrong.
   */
  reason: 'disabled' | 'not_declared' | 'malformed' | 'parameter'
  /** The address without its query. Undefined if it is not a URL. */
  page?: string
  /** The application that the address belongs to or, if there is none, one with an address on the same host. */
  application_id?: string
}

/** Explains to administrators why an address is not allowed. */
export function rejectionOf(targets: Targets, input: string): Rejection {
  const url = input.length <= maxAddressLength ? URL.parse(input) : null
  if (!url) return { reason: 'malformed' }
  const owner = ownerOf(targets, url)
  const application = owner ? owner.application : targets.applications.current().onHost(url.hostname)[0]?.application
  return {
    reason: reasonOf(targets, input, owner),
    page: shownPage(url),
    ...(application && { application_id: application.id }),
  }
}

function reasonOf(targets: Targets, input: string, owner: Owner | undefined): Rejection['reason'] {
  if (owner === undefined) return 'not_declared'
  if (owner.isDisabled) return 'disabled'
  return findReturnAddress(targets, input) ? 'parameter' : 'malformed'
}

/** The address without its query. */
export const shownPage = (url: URL): string =>
  `${shownOrigin(url.href)}${url.pathname.replace(opaque, '…')}`.slice(0, maxShownPage)

const maxShownPage = 100
/** Segments that may be secrets. */
const opaque = /[^/]{30,}/g

/** Whether this application has the longest address that covers the URL, possibly the same one as the settings. */
export function isReturnAddressOf(targets: Targets, application: Pick<Application, 'id'>, returnTo: string): boolean {
  const url = URL.parse(returnTo)
  const stored = url && targets.applications.current().ofReturnAddress(url)
  return stored?.application.id === application.id && stored.address === ownerOf(targets, url!)?.address
}

/**
 * Whether a page behind a gateway belongs to an application that is disabled or deleted, or servers may take it for such a
 * page. Visitors choose the port and some choose the scheme, so an address that nobody has is looked up by its host.
 */
export function isOfDisabledApplication(targets: Targets, page: URL): boolean {
  const owner = ownerOf(targets, page)
  if (owner) return owner.isDisabled
  const current = targets.applications.current()
  const origins = current.onHost(page.hostname.replace(/\.$/, ''))
  return origins.some(({ origin }) => {
    const meant = new URL(origin)
    meant.pathname = page.pathname
    return ownerOf(targets, meant)?.isDisabled ?? current.isBelowDisabled(meant, origin)
  })
}

interface Owner {
  /** The declared or stored address that covers the URL. */
  address: string
  application: Application | undefined
  /** Also true if servers may take the URL for a page of another application, which is disabled. */
  isDisabled: boolean
}

export const maxAddressLength = 2048

// These characters have misled parsers. Quotes and angle brackets would end a mailed link. Valid URLs can contain them
// in escaped form.
const suspect = /[\s\p{C}\\<>"'`]/u

/** The longest address that covers the URL decides. If the settings contain the same address, they decide. */
function ownerOf({ config, applications }: Targets, url: URL): Owner | undefined {
  // API routes are not pages, and some have side effects on GET.
  if (isBelowApi(config.PUBLIC_URL, url)) return undefined
  const [declared, stored] = [declaredAddressOf(config, url), applications.current()]
  const found = stored.ofReturnAddress(url)
  if (found && (declared === undefined || declared.length < found.address.length))
    return { ...found, isDisabled: !found.application.isEnabled || stored.isBelowDisabled(url, found.address) }
  if (declared === undefined) return undefined
  return { address: declared, application: undefined, isDisabled: stored.isBelowDisabled(url, declared) }
}

/** The return addresses in the settings. */
export const declaredReturnAddresses = ({
  ALLOWED_REDIRECTS,
  FRONTEND_URL,
  PUBLIC_URL,
}: Targets['config']): string[] => [new URL(PUBLIC_URL).origin, new URL(FRONTEND_URL).origin, ...ALLOWED_REDIRECTS]

/** The longest address in the settings that covers the URL. */
export function declaredAddressOf(
  { ALLOWED_REDIRECTS, FRONTEND_URL, PUBLIC_URL }: Targets['config'],
  url: URL,
): string | undefined {
  const scheme = `${url.protocol}//`
  if (!isWeb(url.protocol))
    return url.href.startsWith(scheme) && ALLOWED_REDIRECTS.includes(scheme) ? scheme : undefined
  return declaredReturnAddresses({ ALLOWED_REDIRECTS, FRONTEND_URL, PUBLIC_URL })
    .filter((entry) => isBelow(url, entry))
    .reduce<string | undefined>(
      (longest, entry) => (entry.length > (longest?.length ?? 0) ? entry : longest),
      undefined,
    )
}

export const isBelowApi = (publicUrl: string, { origin, pathname }: URL): boolean =>
  origin === new URL(publicUrl).origin && /^\/+(auth|api)(\/|$)/i.test(decoded(pathname))

/** Decodes paths as the router does. The router responds to invalid paths with 404. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function shownOrigin(address: string): string {
  const { origin, protocol, host } = new URL(address)
  return origin === 'null' ? `${protocol}//${host}` : origin
}

/** A long host name is truncated at the start because its end identifies the owner. */
export function shownApplication(address: string): string {
  const { protocol, host } = new URL(address)
  const name = isWeb(protocol) ? host : protocol.slice(0, -1)
  if (name.length <= maxShownLength) return name
  const end = name.slice(1 - maxShownLength)
  // The name is cut at a dot because a partial label could be mistaken for another name.
  return `…${end.slice(end.indexOf('.') + 1)}`
}

const maxShownLength = 60

/** The target of a mailed link. A token will be appended, so the target must not already contain one. */
export function mailTarget(targets: Targets, input: string | undefined): string | undefined {
  const address = allowedReturnAddress(targets, input)
  return address && !new URL(address).searchParams.has('token') ? address : undefined
}

export const withToken = (target: string, token: string): string => withQuery(target, { token })

export function withQuery(target: string, members: Record<string, string | undefined>): string {
  const input = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (input.length === 0) return target
  const [address = '', ...fragment] = target.split('#')
  const joined = `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(input)}`
  return [joined, ...fragment].join('#')
}
