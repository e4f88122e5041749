import { invalidField } from './errors.ts'

export function webAddress(field: string, text: string, max = 2048): string {
  const url = text.length <= max && URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href
  throw invalidField(field, `must be an http or https address of at most ${max} characters`)
}

/** Detects encoded dots and slashes, and dots with parameters (`..;`), which servers may interpret differently. */
export const hasDisguisedSegment = (path: string): boolean => /%(?:25)*(?:2e|2f|5c)|\/\.{1,2};/i.test(path)
