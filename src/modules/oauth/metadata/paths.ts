const names = ['oauth-authorization-server', 'openid-configuration'] as const

/** The path of the issuer, or an empty text. */
const pathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')

/**
 * The paths at which clients look for the metadata. If the issuer has a path, it is inserted (RFC 8414, 3.1) or comes first
 * (OpenID Connect Discovery, 4.1). A proxy that removes the path from requests turns the latter into the paths without it.
 */
export function metadataPaths(publicUrl: string): string[] {
  const path = pathOf(publicUrl)
  return names.flatMap((name) => {
    const root = `/.well-known/${name}`
    return path === '' ? [root] : [root, `${root}${path}`, `${path}${root}`]
  })
}

/** The addresses at the root of the host, which a proxy must forward to the service. Empty if the issuer has no path. */
export function insertedAddresses(publicUrl: string): string[] {
  const path = pathOf(publicUrl)
  const { origin } = new URL(publicUrl)
  return path === '' ? [] : names.map((name) => `${origin}/.well-known/${name}${path}`)
}
