/** The name of an application in lists and in the audit: the origin of its return address, or the scheme of an app. */
export function applicationOf(returnTo: string): string {
  const url = new URL(returnTo)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol
}

/** A return address as the URL parser writes it: codes are issued for that form. */
export const serializedReturnTo = (given: string): string => URL.parse(given)?.href ?? given
