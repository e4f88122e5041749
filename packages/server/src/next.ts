import type { Wardenry } from './create-wardenry.ts'
import { WardenryError } from './errors.ts'
import type { HeadersLike } from './request.ts'
import type { Rule } from './require-user.ts'
import type { User, ValidatedSession } from './session.ts'

/**
 * `export const proxy = protect(wardenry)`: answers the paths of signing in and out, and lets only signed-in people reach
 * the pages of `config.matcher`. Name it `middleware` before Next.js 16, with `runtime: 'nodejs'` in its config.
 */
export const protect =
  (wardenry: Wardenry, rule?: Rule) =>
  async (request: Request): Promise<Response | undefined> => {
    const answer = await wardenry.handle(request)
    if (answer) return answer
    const result = await wardenry.requireUser(request, rule)
    return result instanceof Response ? result : undefined
  }

/** What Next.js has for server components, as it exports it. */
export interface ServerFunctions {
  /** From `next/headers`. */
  headers(): HeadersLike | Promise<HeadersLike>
  /** From `next/navigation`. */
  redirect(path: string): never
}

export interface ServerComponents {
  /** The user who asks for this page, or undefined. */
  currentUser(): Promise<User | undefined>
  /** The session behind it, or undefined. */
  currentSession(): Promise<ValidatedSession | undefined>
  /**
   * The user who asks for this page. People who are not signed in, or must prove again who they are, are sent to sign in
   * and come back to `returnTo`. Rejects with a `WardenryError` for users whom the rule does not let pass.
   */
  requireUser(returnTo: string, rule?: Rule): Promise<User>
}

/**
 * For server components, route handlers and server actions, none of which a proxy protects by itself. `headers()` does not
 * tell reading from changing, so requests from pages of other origins count as changes unless a person follows a link:
 * they belong to nobody, and `requireUser` rejects with `CSRF_REJECTED`. `trustedOrigins` are exempt.
 */
export function serverComponents(
  wardenry: Wardenry,
  { headers, redirect }: ServerFunctions,
  signInPath = '/sign-in',
): ServerComponents {
  const currentSession = async () => wardenry.sessionOf({ headers: await headers() })
  const currentUser = async () => (await currentSession())?.user
  return {
    currentSession,
    currentUser,
    async requireUser(returnTo, rule = {}) {
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
