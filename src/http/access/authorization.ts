import type { FastifyRequest } from 'fastify'

const schemes = { bearer: /^bearer(?: +(.*))?$/i, basic: /^basic(?: +(.*))?$/i } as const

/** The values of a scheme in Authorization (RFC 9110, 11.6.2). `headers` has only the first of repeated headers. */
export function authorizationOf({ raw }: Pick<FastifyRequest, 'raw'>, scheme: keyof typeof schemes): string[] {
  const { headers, rawHeaders } = raw
  if (headers.authorization === undefined) return []
  return rawHeaders.flatMap((text, index) => {
    if (index % 2 === 0 || rawHeaders[index - 1]?.toLowerCase() !== 'authorization') return []
    const found = schemes[scheme].exec(text)
    return found ? [found[1] ?? ''] : []
  })
}
