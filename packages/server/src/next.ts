import { callable, checkOptions, text } from './check-options.ts'
import type { Wardenry } from './create-wardenry.ts'
import { WardenryError } from './errors.ts'
import type { HeadersLike } from './request.ts'
import { type CredentialRule, type Rule, ruleOf } from './rule.ts'
import type { User, ValidatedSession } from './session.ts'

/**
 * Use as `export const proxy = protect(wardenry)`. Handles the sign-in, callback and sign-out paths, and requires a
 * session for the pages in `config.matcher`. Before Next.js 16, name the export `middleware` and set
 * `runtime: 'nodejs'` in its config.
 */
export const protect = (wardenry: Wardenry, ...rules: [rule?: Rule | CredentialRule]) => {
  const rule = ruleOf(rules)
  return async (request: Request): Promise<Response | undefined> => {
    const response = await wardenry.handle(request)
    if (response) return response
    const result = await wardenry.requireUser(request, rule)
    return result instanceof Response ? result : undefined
  }
}

/** Functions that Next.js exports for server components. */
export interface ServerFunctions {
  /** From `next/headers`. */
  headers(): HeadersLike | Promise<HeadersLike>
  /** From `next/navigation`. */
  redirect(path: string): never
}

export interface ServerComponents {
  /** The user who sent this request, or undefined. */
  currentUser(): Promise<User | undefined>
  /** The session of this request, or undefined. */
  currentSession(): Promise<ValidatedSession | undefined>
  /**
   * The user who sent this request. Visitors who are not signed in, or who must authenticate again, are redirected to
   * the sign-in page and then return to `returnTo`. Rejects with a `WardenryError` if access is denied for another
   * reason.
   */
  requireUser(returnTo: string, rule?: Rule): Promise<User>
}

/**
 * Returns functions for server components, route handlers and server actions, which a proxy (middleware) alone does not
 * protect. `headers()` does not contain the request method. Every request from a cross-origin page is therefore assumed
 * to change data unless the user followed a link: `currentUser` returns undefined, and `requireUser` rejects with
 * `CSRF_REJECTED`. Pages on `trustedOrigins` are exempt.
 */
export function serverComponents(
  wardenry: Wardenry,
  functions: ServerFunctions,
  signInPath = '/sign-in',
): ServerComponents {
  checkOptions<ServerFunctions>('serverComponents', functions ?? null, { headers: callable, redirect: callable })
  const { headers, redirect } = functions
  const currentSession = async () => wardenry.sessionOf({ headers: await headers() })
  const currentUser = async () => (await currentSession())?.user
  return {
    currentSession,
    currentUser,
    async requireUser(returnTo, ...rules) {
      if (!text.accepts(returnTo)) throw new TypeError('Wardenry: the first argument is the path to return to')
      const rule = ruleOf(rules)
      if (rule.kinds) throw new TypeError('Wardenry: pages are for users; pass rules with kinds to getSession')
      try {
        return (await wardenry.getSession({ headers: await headers() }, rule)).user
      } catch (error) {
        const code = error instanceof WardenryError ? error.code : undefined
        if (code !== 'INVALID_SESSION' && code !== 'REAUTH_REQUIRED') throw error
        const proof = code === 'REAUTH_REQUIRED' ? { max_age: String(rule.maxAge) } : undefined
        return redirect(`${signInPath}?${new URLSearchParams({ return_to: returnTo, ...proof })}`)
      }
    },
  }
}
