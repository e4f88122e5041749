import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieValues, readCookies, writeCookie } from './cookies.ts'
import type { Settings } from './options.ts'
import type { Incoming } from './request.ts'

/** A sign-in that is under way in this browser. */
export interface SignInFlow {
  state: string
  codeVerifier: string
  /** The absolute address of the local page at which it ends. */
  returnTo: string
  /** On our own clock, in milliseconds. */
  startedAt: number
  /** How old the proof may be at the start, in seconds: the address of the sign-in page is the visitor's to change. */
  maxProofAge?: number | undefined
}

const lifetime = 600
const maxFlows = 5
const prefix = ({ isSecure }: Settings): string => `${isSecure ? '__Host-' : ''}wardenry_flow_`

/** Each flow has a cookie of its own, so that tabs do not disturb each other. */
const nameOf = (settings: Settings, state: string): string =>
  prefix(settings) + sha256(state).toString('hex').slice(0, 16)

/** The cookie of a new flow, and the end of the surplus: somebody could make a browser begin any number of flows. */
export function flowCookies(settings: Settings, { header }: Incoming, flow: SignInFlow): string[] {
  const name = nameOf(settings, flow.state)
  const others = readCookies(header('cookie')).filter(([other]) => other.startsWith(prefix(settings)))
  const surplus = others.slice(0, Math.max(0, others.length - maxFlows + 1))
  const remove = ([other]: [string, string]) => writeCookie(other, '', { ...settings, maxAge: 0 })
  return [writeCookie(name, seal(settings, name, flow), { ...settings, maxAge: lifetime }), ...surplus.map(remove)]
}

/** The flow of this browser with this state. */
export function readFlow(settings: Settings, { header }: Incoming, state: string | undefined): SignInFlow | undefined {
  if (!state) return undefined
  const name = nameOf(settings, state)
  const [sealed, ...others] = cookieValues(header('cookie'), name)
  const flow = sealed && others.length === 0 ? unseal(settings, name, sealed) : undefined
  return flow && timingSafeEqual(sha256(flow.state), sha256(state)) ? flow : undefined
}

export const endFlowCookie = (settings: Settings, state: string): string =>
  writeCookie(nameOf(settings, state), '', { ...settings, maxAge: 0 })

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
