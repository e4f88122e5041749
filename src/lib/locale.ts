/**
 * The language to speak, out of those we have: the first that was asked for, else what the browser prefers (RFC 9110, 12.5.4), else
 * the default. Regions fall back to their language: `es-MX` reads `es`.
 */
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

/** The first language that a browser prefers and we have, as it names it: `es-MX` where we have `es`. */
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

/**
 * A well-formed BCP 47 tag in its canonical spelling, or undefined. Without extensions: a calendar or something private
 * is no part of a language, and has no name.
 */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).baseName
  } catch {
    return undefined
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/** What a post may be written in: a language with its region and script, without extensions. */
export const isPostLanguage = (tag: string): boolean => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(tag)
