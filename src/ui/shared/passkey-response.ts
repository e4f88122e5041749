/** Parses the text written by the page's script. Returns undefined if it is not valid JSON. */
export function passkeyResponse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
