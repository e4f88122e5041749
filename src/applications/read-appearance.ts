import { colour, type LogoImage, logo, logoVersion, publicName } from '../config/branding.ts'
import { type Setting, SettingProblem } from '../config/kinds.ts'
import type { StoredLogo } from '../db/rows/applications.ts'
import { webAddress } from '../lib/client-text.ts'
import { invalidField } from '../lib/errors.ts'
import { isBelow, isWeb } from '../lib/return-address.ts'
import type { Address } from './queries.ts'

/** The rules are those of the settings for the installation's appearance. */
const [accentSetting, logoSetting] = [colour(''), logo('')]

export const readAccent = (text: string | null): string | null =>
  text === null ? null : accepted('accent', accentSetting.read(text) ?? null)

export interface ReadLogo {
  stored: StoredLogo
  bytes: Buffer
}

/** Reads a base64 data URL. */
export function readApplicationLogo(text: string | null): ReadLogo | null {
  const image = text === null ? null : accepted('logo', readStored(logoSetting, text) ?? null)
  if (image === null) return null
  const { type, width, height, bytes } = image
  return { stored: { version: logoVersion(image), type, width, height }, bytes }
}

const readStored = (setting: Setting<LogoImage | undefined>, text: string) => setting.readStored?.(text)

/** Users see the name on pages, so it must not look like another name or reorder the text around it. */
export const readPublicName = (name: string, max: number): string =>
  accepted('name', publicName('', max, '').read(name))

export function secureLink(field: string, text: string | null): string | null {
  if (text === null) return null
  const address = webAddress(field, text)
  if (address.startsWith('https:')) return address
  throw invalidField(field, 'must be an https URL')
}

/** A URL that the return addresses cover. That is checked later, because they may change with it. */
export function readSignOutUrl(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  if (text === null) return null
  if (url && text.length <= 2048 && !url.username && !url.password) return url.href
  throw invalidField('sign_out_url', 'must be a URL of at most 2048 characters')
}

export function signOutProblems(text: string | null | undefined, addresses: readonly Address[]) {
  const url = text ? URL.parse(text) : null
  if (!url || addresses.some((one) => one.kind === 'return' && covers(one.address, url))) return []
  return [{ field: 'sign_out_url', message: 'must be below one of the return addresses' }]
}

const covers = (address: string, url: URL): boolean =>
  isWeb(url.protocol) ? isBelow(url, address) : url.href.startsWith(address)

function accepted<Value>(field: string, value: Value | SettingProblem): Value {
  if (value instanceof SettingProblem) throw invalidField(field, value.message)
  return value
}
