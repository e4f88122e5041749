/** A host and port as identifiers are registered: other spellings that URL parsers also read as the same host are not equal. */
const withAuthority =
  /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?(?<rest>(?:[/?#].*)?)$/is

const schemeOf = /^[a-z][a-z0-9+.-]*:/i

/**
 * The form in which identifiers of resources are compared (RFC 8707, 2): scheme and host in lower case, without the default
 * port, and an empty path as `/`, because clients append the slash. Of other identifiers, such as `urn:example:api`, only the
 * scheme is in lower case.
 */
export function sameResource(identifier: string): string {
  const rest = withAuthority.exec(identifier)?.groups?.rest
  const url = rest === undefined ? null : URL.parse(identifier)
  if (!url || rest === undefined) return identifier.replace(schemeOf, (scheme) => scheme.toLowerCase())
  return `${url.protocol}//${url.host}${rest.startsWith('/') ? rest : `/${rest}`}`
}
