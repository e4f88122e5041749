/** Set by the script of the page; undefined if it is not valid JSON. */
export function passkeyAnswer(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** The details of a failed passkey mean nothing to users. */
export const passkeyProblem = (code: string): string =>
  code === 'RATE_LIMITED' || code === 'PAGE_EXPIRED' ? code : 'PASSKEY'
