const withAuthority = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?((?:[/?#].*)?)$/is

const schemeOf = /^[a-z][a-z0-9+.-]*:/i

/**
 * The form in which the service compares identifiers of APIs (RFC 8707, 2): scheme and host in lower case, without the
 * default port, and an empty path as `/`.
 */
export function sameResource(identifier: string): string {
  const rest = withAuthority.exec(identifier)?.[1]
  if (rest === undefined || !URL.canParse(identifier))
    return identifier.replace(schemeOf, (scheme) => scheme.toLowerCase())
  const url = new URL(identifier)
  return `${url.protocol}//${url.host}${rest.startsWith('/') ? rest : `/${rest}`}`
}
