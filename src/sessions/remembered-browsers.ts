import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/load.ts'
import type { Context, Transaction } from '../context.ts'
import { deviceOf, type RequestDevice } from '../http/access/device.ts'
import { onlyCookie, readCookies, writeCookie } from '../http/cookies/cookies.ts'
import { needsSecure, replacedSessionsOf } from '../http/cookies/session-cookie.ts'
import { equalSecrets, keyedHash } from '../lib/hash.ts'
import { day } from '../lib/time.ts'
import { enqueueMail, greetedName, mailedDevice } from '../outbox/enqueue.ts'
import type { UserWithPassword } from '../users/queries.ts'
import type { CreatedSession } from './create-session.ts'

const lifetime = 180 * day

// The `__Host-` prefix requires the Secure attribute, which plain HTTP does not support.
const knownDeviceCookie = (config: Config): string => (needsSecure(config) ? '__Host-kd' : 'kd')

export interface DeviceOwner {
  id: string
  /** Changes whenever the password hash changes, which invalidates the tokens of known browsers. */
  passwordMark: string
}

export const deviceOwnerOf = (
  config: Config,
  { id, password_hash }: Pick<UserWithPassword, 'id' | 'password_hash'>,
): DeviceOwner => ({
  id,
  passwordMark: keyedHash(config.AUTH_SECRET, 'password-mark', password_hash ?? ''),
})

const subjectOf = ({ id, passwordMark }: DeviceOwner): string => `${id}.${passwordMark}`

/** The cookie contains no personal data and proves only that this browser is known. */
export function rememberDevice(reply: FastifyReply, config: Config, owner: DeviceOwner, now: number): void {
  const value = issueBrowserToken(config, 'known-device', subjectOf(owner), now)
  const cookie = writeCookie(knownDeviceCookie(config), value, {
    sameSite: 'Lax',
    secure: needsSecure(config),
    maxAge: lifetime / 1000,
  })
  reply.header('set-cookie', cookie)
}

/** Accepts a token only within its lifetime, and only if the password has not changed since the token was issued. */
export function isKnownDevice(
  request: FastifyRequest,
  config: Config,
  user: Pick<UserWithPassword, 'id' | 'password_hash'> | undefined,
  now: number,
): boolean {
  // Does the same work for unknown users to prevent timing attacks.
  return isRemembered(request, config, deviceOwnerOf(config, user ?? nobody), now) && user !== undefined
}

function isRemembered(request: FastifyRequest, config: Config, owner: DeviceOwner, now: number): boolean {
  const [mark] = readCookies(request.headers.cookie, knownDeviceCookie(config))
  return verifyBrowserToken(config, 'known-device', subjectOf(owner), { mark, now, lifetime })
}

const nobody = { id: '', password_hash: null }

export interface SignInDevice {
  device: RequestDevice
  isKnown: (user: UserWithPassword) => boolean
}

export const signInDeviceOf = ({ config, clock }: Context, request: FastifyRequest): SignInDevice => ({
  device: deviceOf(request),
  isKnown: (user) => isKnownDevice(request, config, user, clock.now()),
})

/** A token is valid for one purpose only. */
type Purpose = 'known-device' | 'confirmed-browser'

/** The token is random, timestamped and signed for a subject. It contains no personal data. */
export function issueBrowserToken(config: Config, purpose: Purpose, subject: string, now: number): string {
  const [device, issued] = [randomBytes(12).toString('base64url'), Math.floor(now / 1000).toString(36)]
  return [device, issued, signature(config, purpose, subject, device, issued)].join('.')
}

export function verifyBrowserToken(
  config: Config,
  purpose: Purpose,
  subject: string,
  { mark, now, lifetime }: { mark: string | undefined; now: number; lifetime: number },
): boolean {
  const [device = '', issued = '', mac = ''] = mark?.split('.') ?? []
  if (!mac || !equalSecrets(mac, signature(config, purpose, subject, device, issued))) return false
  return now - Number.parseInt(issued, 36) * 1000 < lifetime
}

const signature = (config: Config, purpose: Purpose, subject: string, device: string, issued: string): string =>
  keyedHash(config.AUTH_SECRET, purpose, `${subject}.${device}.${issued}`)

/** Marks a browser in which the user has confirmed a second factor. Not used by default. */
const confirmedBrowserCookie = (config: Config): string => (needsSecure(config) ? '__Host-cb' : 'cb')

export const readConfirmedBrowserCookie = (request: FastifyRequest, config: Config): string | undefined =>
  onlyCookie(request.headers.cookie, confirmedBrowserCookie(config))

export function setConfirmedBrowserCookie(reply: FastifyReply, config: Config, mark: string, lifetime: number): void {
  const attributes = { sameSite: 'Lax', secure: needsSecure(config) } as const
  const cookie = writeCookie(confirmedBrowserCookie(config), mark, { ...attributes, maxAge: lifetime / 1000 })
  reply.header('set-cookie', cookie)
}

export const fromBrowser = ({ config, clock }: Context, request: FastifyRequest) => ({
  device: deviceOf(request),
  confirmation: readConfirmedBrowserCookie(request, config),
  replaces: replacedSessionsOf(request, config),
  isKnown: (owner: DeviceOwner) => isRemembered(request, config, owner, clock.now()),
})

export async function notifyNewDevice(
  tx: Transaction,
  { view, pending }: CreatedSession,
  { device, known }: { device: RequestDevice; known: boolean },
): Promise<void> {
  if (!tx.config.MAIL_NEW_DEVICE || known || pending) return
  const { email, lang } = view.user
  await enqueueMail(tx, {
    message: 'new_device',
    account: view.user,
    to: email,
    lang,
    acceptLanguage: device.acceptLanguage,
    variables: { name: greetedName(view.user), ip: device.address, user_agent: mailedDevice(view.user, device) },
  })
}
