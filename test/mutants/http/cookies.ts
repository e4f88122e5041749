import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a sign-in while acting as another user ends the own session of the superadmin',
    file: 'src/http/cookies/session-cookie.ts',
    from: '[onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME), ownSessionOf(request, config)]',
    to: '[onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME)]',
    test: 'test/admin/impersonation-in-browser.test.ts',
  },
  {
    rule: 'the session cookie of the host alone goes when one for the domain is set',
    file: 'src/http/cookies/session-cookie.ts',
    from: '  if (config.SESSION_COOKIE_DOMAIN !== undefined) clearHostOnlyCookie(reply, config)\n  // Without',
    to: '  // Without',
    test: 'test/sessions/cookie-domain.test.ts',
  },
  {
    rule: 'a cookie that a neighbouring host has set is not the only one left',
    file: 'src/http/cookies/session-cookie.ts',
    from: 'if (isAmbiguous(request, config)) {',
    to: 'if (false) {',
    test: 'test/sessions/cookie-domain.test.ts',
  },
  {
    rule: 'one session cookie of two does not decide',
    file: 'src/http/cookies/cookies.ts',
    from: 'values.every((value) => value === values[0]) ? values[0] : undefined',
    to: 'values[0]',
    test: 'test/sessions/cookie-domain.test.ts',
  },
  {
    rule: 'a stale session cookie of a parent domain is removed',
    file: 'src/http/cookies/session-cookie.ts',
    from: 'if (config.SESSION_COOKIE_DOMAIN !== undefined) clearHostOnlyCookie(reply, config)\n    clearOtherDomains(reply, config)',
    to: 'if (config.SESSION_COOKIE_DOMAIN !== undefined) clearHostOnlyCookie(reply, config)',
    test: 'test/sessions/shadowed-cookie.test.ts',
  },
  {
    rule: 'the session cookie of another application in a parent domain is kept',
    file: 'src/http/cookies/session-cookie.ts',
    from: 'if (isAmbiguous(reply.request, config)) clearOtherDomains',
    to: 'clearOtherDomains',
    test: 'test/sessions/shadowed-cookie.test.ts',
  },
]
