import { BoundedMap } from './bounded-map.ts'

/** Prefers requested languages over the `Accept-Language` header (RFC 9110, 12.5.4). `es-MX` falls back to `es`. */
export function chooseLanguage(
  available: readonly string[],
  wanted: string | null | undefined | readonly (string | null | undefined)[],
  acceptLanguage: string | undefined,
  fallback: string,
): string {
  for (const tag of [...[wanted].flat(), ...preferences(acceptLanguage), fallback]) {
    const match = tag && closest(available, tag.toLowerCase())
    if (match) return match
  }
  return available[0] ?? 'en'
}

/** Returns the most preferred `Accept-Language` tag that matches a supported language. `es-MX` matches `es`. */
export function preferredLanguage(
  available: readonly string[],
  acceptLanguage: string | undefined,
): string | undefined {
  const known = preferences(acceptLanguage).find((tag) => tag.length <= 35 && closest(available, tag.toLowerCase()))
  return known && canonicalLanguage(known)
}

function preferences(header: string | undefined): string[] {
  if (!header || header.length > 500) return []
  return header
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.trim().split(/\s*;\s*/)
      return { tag, quality: Number(quality.replace(/^q=/, '')) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)
}

const closest = (available: readonly string[], tag: string): string | undefined =>
  available.find((one) => one.toLowerCase() === tag) ?? available.find((one) => one === tag.split('-')[0])

/** Returns the canonical BCP 47 tag without extensions, or undefined if the tag is malformed. */
export function canonicalLanguage(tag: string): string | undefined {
  const known = canonicalTags.get(tag)
  if (known !== undefined) return known
  try {
    const canonical = new Intl.Locale(tag).baseName
    canonicalTags.set(tag, canonical)
    return canonical
  } catch {
    return undefined
  }
}

/** Creating a locale takes microseconds, which adds up in an import. */
const canonicalTags = new BoundedMap<string, string>({ maxWeight: 200 })

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/** Corrects the case, but does not replace an alias, such as US/Eastern, with another name. */
export function canonicalTimeZone(name: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
  const isSame = (zone: string) => zone.toLowerCase() === name.toLowerCase()
  return [timeZone, ...Intl.supportedValuesOf('timeZone')].find(isSame) ?? name
}

export const isPostLanguage = (tag: string): boolean => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(tag)

/** Node.js 22 has a `textInfo` property instead of the `getTextInfo` method. */
export function textDirection(tag: string): 'ltr' | 'rtl' | undefined {
  const locale: Partial<Pick<Intl.Locale, 'getTextInfo'> & { textInfo: Intl.TextInfo }> = new Intl.Locale(tag)
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction
}

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Whether the code is assigned in ISO 3166-1 alpha-2. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !['EU', 'UN', 'EZ', 'XA', 'XB', 'ZZ', 'QO'].includes(code) && names.of(code) !== undefined

export const countryCodes = (): string[] => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => isCountry(code) && new Intl.Locale(`und-${code}`).region === code)
}

const languageTag = /^[a-z]{2,3}(-([a-z]{2}|[a-z]{4}|\d{3}))?$/i

/** Text that is not a language tag is returned unchanged. */
export function languageName(lang: string, language: string): string {
  if (!languageTag.test(language)) return language
  const name = new Intl.DisplayNames([lang], { type: 'language' }).of(language) ?? language
  return name.replace(/^./u, (letter) => letter.toLocaleUpperCase(lang))
}
