export function applicationOf(returnTo: string): string {
  const url = new URL(returnTo)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol
}

/** Codes are issued for the address as the URL parser serializes it. */
export const serializedReturnTo = (input: string): string => URL.parse(input)?.href ?? input
