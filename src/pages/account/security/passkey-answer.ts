/** What the script of a page has put into its form; undefined for what is none. */
export function passkeyAnswer(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
