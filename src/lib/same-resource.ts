const withAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+(?<rest>(?:[/?#].*)?)$/is

/**
 * The form in which identifiers of resources are compared (RFC 8707, 2): scheme and host in lower case, without the default
 * port, and an empty path as `/`, because clients append the slash. Other identifiers, such as `urn:example:api`, are
 * compared as they are.
 */
export function sameResource(identifier: string): string {
  const rest = withAuthority.exec(identifier)?.groups?.rest
  const url = rest === undefined ? null : URL.parse(identifier)
  if (!url || rest === undefined) return identifier
  return `${url.protocol}//${url.host}${rest.startsWith('/') ? rest : `/${rest}`}`
}
