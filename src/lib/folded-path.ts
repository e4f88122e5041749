import { hasDisguisedSegment } from './client-text.ts'

/**
 * The segments of a path as the most lenient server may read them, for comparisons that reject: decoded repeatedly, and
 * without case, path parameters, empty segments, and dots and spaces at the end of segments. Undefined if servers may
 * disagree about more than this.
 */
export function foldedPath(pathname: string): string[] | undefined {
  const path = hasDisguisedSegment(pathname) ? undefined : decodedFully(pathname)
  if (path === undefined || /\p{C}/u.test(path)) return undefined
  // Upper case first, because some letters (ſ, ı) are the same as an ASCII letter only in upper case.
  const segments = path.normalize('NFKC').toUpperCase().toLowerCase().split(/[/\\]/).map(withoutParameters)
  if (segments.some((segment) => /^\.{2,}$/.test(segment))) return undefined
  return segments.map(withoutFinalDots).filter((segment) => segment !== '')
}

const maxRounds = 5

function decodedFully(path: string): string | undefined {
  let decoded = path
  for (let round = 0; decoded.includes('%'); round++) {
    if (round === maxRounds) return undefined
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return undefined
    }
  }
  return decoded
}

const withoutParameters = (segment: string): string => (segment.split(/[;?#]/, 1)[0] ?? '').trim()

function withoutFinalDots(segment: string): string {
  let end = segment.length
  while (end > 0 && ' .'.includes(segment.charAt(end - 1))) end--
  return segment.slice(0, end)
}
