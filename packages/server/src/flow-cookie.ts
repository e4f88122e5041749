import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'
import { cookieValues, readCookies, writeCookie } from './cookies.ts'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'

/** A sign-in that is not yet complete. */
export interface SignInFlow {
  state: string
  codeVerifier: string
  /** The absolute URL of the local page to return to. */
  returnTo: string
  /** Milliseconds since 1970 on this machine's clock. */
  startedAt: number
  /**
   * The maximum age of the authentication in seconds, as requested at the start. Stored in the cookie because visitors
   * can change the sign-in URL.
   */
  maxProofAge?: number | undefined
}

/** A pending sign-in that was read from one of this browser's cookies. */
export interface KeptFlow extends SignInFlow {
  cookieName: string
}

const lifetime = 600

/**
 * Each sign-in has its own cookie so that sign-ins in several tabs do not interfere. The cookie names are fixed because
 * concurrent requests do not see each other's cookies and could otherwise add any number of them. Five cookies with
 * return URLs of `maxReturnTo` characters take about 6 kB, and proxies accept at least 8 kB of headers.
 */
const slots = ['1', '2', '3', '4', '5']
const maxReturnTo = 600

const nameOf = ({ isSecure }: Settings, slot: string): string => `${isSecure ? '__Host-' : ''}wardenry_flow_${slot}`

/** The cookie for a new sign-in. If all names are in use, it replaces that of the oldest sign-in. */
export function flowCookie(settings: Settings, request: Incoming, flow: SignInFlow): string {
  const name = nextName(settings, request)
  const content = { ...flow, returnTo: shortened(flow.returnTo) }
  return writeCookie(name, seal(settings, name, content), { ...settings, maxAge: lifetime })
}

/** This browser's sign-in with the given state. */
export function readFlow(settings: Settings, request: Incoming, state: string | undefined): KeptFlow | undefined {
  if (!state) return undefined
  return keptFlows(settings, request).find((flow) => timingSafeEqual(sha256(flow.state), sha256(state)))
}

export const endFlowCookie = (settings: Settings, { cookieName }: KeptFlow): string =>
  writeCookie(cookieName, '', { ...settings, maxAge: 0 })

function keptFlows(settings: Settings, { header }: Incoming): KeptFlow[] {
  const cookies = header('cookie')
  return slots.flatMap((slot) => {
    const cookieName = nameOf(settings, slot)
    const [sealed, ...others] = cookieValues(cookies, cookieName)
    const flow = sealed && others.length === 0 ? unseal(settings, cookieName, sealed) : undefined
    return flow ? [{ ...flow, cookieName }] : []
  })
}

/** Picks a free name at random so that concurrent requests rarely choose the same one. */
function nextName(settings: Settings, request: Incoming): string {
  const names = slots.map((slot) => nameOf(settings, slot))
  const sent = new Set(readCookies(request.header('cookie')).map(([name]) => name))
  const kept = keptFlows(settings, request).sort((a, b) => a.startedAt - b.startedAt)
  const unused = names.filter((name) => !sent.has(name))
  const unreadable = names.filter((name) => !kept.some(({ cookieName }) => cookieName === name))
  const free = unused.length > 0 ? unused : unreadable
  return free.length > 0 ? free[randomInt(free.length)]! : kept[0]!.cookieName
}

/** Removes the query from a return URL that is too long. If the URL is still too long, also removes the path. */
function shortened(returnTo: string): string {
  if (returnTo.length <= maxReturnTo) return returnTo
  const { origin, pathname } = new URL(returnTo)
  return origin.length + pathname.length <= maxReturnTo ? origin + pathname : `${origin}/`
}

function seal(settings: Settings, name: string, flow: SignInFlow): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(settings), iv).setAAD(Buffer.from(name))
  const content = JSON.stringify({ ...flow, expiresAt: Date.now() + lifetime * 1000 })
  return Buffer.concat([iv, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function unseal(settings: Settings, name: string, sealed: string): SignInFlow | undefined {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', keyOf(settings), bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-16))
    const content = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
    const { expiresAt, ...flow } = JSON.parse(content) as SignInFlow & { expiresAt: number }
    return expiresAt > Date.now() ? flow : undefined
  } catch {
    return undefined
  }
}

const keyOf = ({ bridgeSecret }: Settings): Buffer =>
  Buffer.from(hkdfSync('sha256', bridgeSecret, '', 'wardenry sign-in flow', 32))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
