import { isLoopbackUrl, isRange } from '../lib/address.ts'
import { isOrigin } from '../lib/return-address.ts'
import { DatabaseAddressError, readDatabaseAddress } from './database-address.ts'
import { list, optionalText, type Setting, type SettingOptions, SettingProblem } from './kinds.ts'

const protocols = (value: string, allowed: readonly string[]): URL | undefined => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && allowed.includes(url.protocol) ? url : undefined
}

export const optionalUrl = (
  allowed: readonly string[],
  meaning: string,
  extra?: SettingOptions,
): Setting<string | undefined> => {
  const shownForm = allowed.map((protocol) => `${protocol}//`).join(' or ')
  const read = (value: string) =>
    protocols(value, allowed) ? value : new SettingProblem(`must begin with ${shownForm}`)
  return { ...optionalText(meaning, extra), type: 'URL', read }
}

const maxLinkLength = 2048

const linkIn = (value: string): URL | undefined => {
  const url = value.length <= maxLinkLength ? protocols(value, ['https:', 'http:']) : undefined
  return url && !url.username && !url.password ? url : undefined
}

export const pageLink = (meaning: string): Setting<string | undefined> => {
  const read = (value: string) =>
    linkIn(value)
      ? value
      : new SettingProblem(`must be an http or https URL without a user name, of at most ${maxLinkLength} characters`)
  return { ...optionalText(meaning), type: 'URL', read }
}

/** HTTPS, or HTTP on the same machine, without user name and password. */
export const publicLink = (meaning: string): Setting<string | undefined> => {
  const read = (value: string) => {
    const url = linkIn(value)
    return url && (url.protocol === 'https:' || isLoopbackUrl(url))
      ? url.href
      : new SettingProblem('must be an https address without a user name, such as https://example.com/help')
  }
  return { ...optionalText(meaning), type: 'URL', read }
}

/** Only characters that need no encoding in a mailto: link. */
export const publicEmail = (meaning: string): Setting<string | undefined> => {
  const form = /^[a-z0-9._+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i
  const read = (value: string) =>
    form.test(value) && value.length <= 254
      ? value
      : new SettingProblem('must be an email address such as help@example.com')
  return { ...optionalText(meaning), read }
}

export const databaseUrl = (meaning: string, extra: SettingOptions): Setting<string | undefined> => {
  const plain = optionalUrl(['postgres:', 'postgresql:'], meaning, extra)
  const read = (value: string) => {
    if (!/^postgres(ql)?:\/\//.test(value)) return plain.read('?')
    try {
      readDatabaseAddress(value)
      return value
    } catch (error) {
      if (error instanceof DatabaseAddressError) return new SettingProblem(error.message)
      throw error
    }
  }
  return { ...plain, read }
}

export const url = (fallback: string, allowed: readonly string[], meaning: string): Setting<string> => ({
  ...(optionalUrl(allowed, meaning) as Setting<string>),
  fallback,
  shownDefault: fallback,
})

export const baseUrl = (shown: string, meaning: string, extra?: SettingOptions): Setting<string | undefined> => {
  const read = (value: string) => {
    const url = protocols(value, ['http:', 'https:'])
    if (!url || url.username || url.search || url.hash)
      return new SettingProblem('must be an http(s) address without query')
    return url.href.replace(/\/+$/, '')
  }
  return { ...optionalText(meaning, { shown, ...extra }), type: 'URL', read }
}

export const origins = (meaning: string): Setting<string[]> => {
  const check = (item: string) =>
    isOrigin(item) ? item : new SettingProblem(`"${item}" is not an origin such as https://app.example.com`)
  return list(meaning, check, 'origins')
}

/** Rejects ranges that include every IP address because clients could then forge their IP address. */
export const ranges = (meaning: string): Setting<string[]> => {
  const check = (item: string) => {
    if (!isRange(item)) return new SettingProblem(`"${item}" is not an address range such as 10.0.0.0/8`)
    return /\/0+$/.test(item)
      ? new SettingProblem(`"${item}" includes every address: list the addresses of your proxies`)
      : item
  }
  return list(meaning, check, 'CIDR list')
}
