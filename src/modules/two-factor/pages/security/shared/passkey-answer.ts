/** What the script of a page has put into its form; undefined for what is none. */
export function passkeyAnswer(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Of a passkey people can only be told that it was not accepted, whatever was wrong with it. */
export const passkeyProblem = (code: string): string =>
  code === 'RATE_LIMITED' || code === 'PAGE_EXPIRED' ? code : 'PASSKEY'
