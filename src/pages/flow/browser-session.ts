import type { FastifyReply, FastifyRequest } from 'fastify'

/** A full session in the cookie of a browser, read from the database. */
export interface BrowserSession {
  /** When its holder last proved who they are. */
  provedAt: Date
  /** Sets the cookie again where it has a domain: the browser may have one from before that, for this host alone. */
  shareCookie(reply: FastifyReply): void
  /** For an application at another host name. */
  issueCode(target: { returnTo: string; codeChallenge: string }): Promise<string>
}

/** Undefined without a session, for one that has ended and for one that waits for its second factor. */
export type FindBrowserSession = (request: FastifyRequest) => Promise<BrowserSession | undefined>
