import type { FastifyRequest, onSendHookHandler } from 'fastify'

/**
 * Routes that pages of certain other origins can call. Browsers neither send cookies with such requests nor let the pages
 * read responses to requests with cookies.
 */
export interface SharedRoutes {
  readonly paths: readonly string[]
  /** The headers that pages may send and read, separated by commas. */
  readonly requestHeaders: string
  readonly responseHeaders: string
  /** Whether pages of this origin may send requests. They can read a response only if the handler sets `sharedWith`. */
  allows(origin: string): boolean | Promise<boolean>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The origins whose pages can read the response of a shared route. */
    sharedWith: readonly string[] | undefined
  }
}

/** By the paths of the routes. */
export type SharedPaths = ReadonlyMap<string, SharedRoutes>

export const sharedPaths = (all: readonly SharedRoutes[]): SharedPaths =>
  new Map(all.flatMap((shared) => shared.paths.map((path) => [path, shared] as const)))

/** Also for rejections that follow after the handler has identified the caller. */
export const shareResponse =
  (shared: SharedRoutes): onSendHookHandler<unknown> =>
  (request: FastifyRequest, reply, payload, done) => {
    const { origin } = request.headers
    if (origin !== undefined && request.sharedWith?.includes(origin)) {
      reply.header('access-control-allow-origin', origin)
      reply.header('access-control-expose-headers', shared.responseHeaders)
    }
    done(null, payload)
  }

export const sharedPreflightHeaders = (
  { requestHeaders }: SharedRoutes,
  { origin, methods }: { origin: string; methods: readonly string[] },
) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': requestHeaders,
  'access-control-max-age': '600',
})
