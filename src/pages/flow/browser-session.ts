import type { FastifyReply, FastifyRequest } from 'fastify'

/** A full session from the browser's cookie, read from the database. */
export interface BrowserSession {
  provedAt: Date
  /** Sets the cookie for SESSION_COOKIE_DOMAIN again, because the browser may still have a host-only cookie. */
  shareCookie(reply: FastifyReply): void
  /** Issues the code that an application on another host exchanges for a session. */
  issueCode(target: { returnTo: string; codeChallenge: string }): Promise<string>
}

/** Undefined if there is no session, or if it has ended or is partial. */
export type FindBrowserSession = (request: FastifyRequest) => Promise<BrowserSession | undefined>
