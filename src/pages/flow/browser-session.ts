import type { FastifyReply, FastifyRequest } from 'fastify'

/** A full session from the browser's cookie, read from the database. */
export interface BrowserSession {
  provedAt: Date
  /** Sets the cookie for SESSION_COOKIE_DOMAIN again, because the browser may still have a host-only one. */
  shareCookie(reply: FastifyReply): void
  /** For the hand-over to an application on another host. */
  issueCode(target: { returnTo: string; codeChallenge: string }): Promise<string>
}

/** Undefined without a session, or if it has ended or is partial. */
export type FindBrowserSession = (request: FastifyRequest) => Promise<BrowserSession | undefined>
