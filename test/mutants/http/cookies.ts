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
    from: '  if (config.SESSION_COOKIE_DOMAIN !== undefined) clearHostOnlyCookie(reply, config)\n',
    to: '',
    test: 'test/sessions/cookie-domain.test.ts',
  },
  {
    rule: 'a cookie that a neighbouring host has set is not the only one left',
    file: 'src/http/cookies/session-cookie.ts',
    from: 'sessionCookies(request, config).length < 2',
    to: 'true',
    test: 'test/sessions/cookie-domain.test.ts',
  },
  {
    rule: 'one session cookie of two does not decide',
    file: 'src/http/cookies/cookies.ts',
    from: 'values.every((value) => value === values[0]) ? values[0] : undefined',
    to: 'values[0]',
    test: 'test/sessions/cookie-domain.test.ts',
  },
]
