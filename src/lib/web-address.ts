import { invalidField } from './errors.ts'

/** An address that a page may link to: absolute, http or https, and without a name and password in it. */
export function webAddress(field: string, text: string, most = 2048): string {
  const url = text.length <= most && URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href
  throw invalidField(field, `must be an http or https address of at most ${most} characters`)
}

/**
 * Whether a path has a segment that some server may read as another one: an encoded dot, slash or backslash, also encoded
 * several times, or dots with path parameters (`..;`).
 */
export const hasDisguisedSegment = (path: string): boolean => /%(?:25)*(?:2e|2f|5c)|\/\.{1,2};/i.test(path)
