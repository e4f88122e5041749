import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a bound session is refused from another address or user agent',
    file: 'src/sessions/binding.ts',
    from: 'isUnknown || changed.length > 0 ? refuse',
    to: 'isUnknown ? refuse',
    test: 'test/sessions/binding.test.ts',
  },
  {
    rule: 'a bound session is refused if the request describes no user',
    file: 'src/sessions/binding.ts',
    from: 'isUnknown || changed.length > 0 ? refuse',
    to: 'changed.length > 0 ? refuse',
    test: 'test/sessions/binding.test.ts',
  },
  {
    rule: 'the routes of the service bind sessions',
    file: 'src/sessions/authenticate.ts',
    from: 'if (refusal) await refusal',
    to: 'if (refusal) refusal.catch(() => {})',
    test: 'test/sessions/binding.test.ts',
  },
  {
    rule: 'only the bridge secret makes a binding compare the headers about an end user',
    file: 'src/http/access/request-limits.ts',
    from: "return mayUseSecret && request.headers['x-bridge-secret'] !== undefined",
    to: "return request.headers['x-end-user-ip'] !== undefined",
    test: 'test/sessions/binding.test.ts',
  },
  {
    rule: 'a gateway that is not trusted cannot state the address of a bound session',
    file: 'src/sessions/gateway-routes.ts',
    from: 'forwarded !== undefined && isTrusted(request.raw) ? request.clientAddress : undefined',
    to: 'forwarded?.toString()',
    test: 'test/sessions/binding.test.ts',
  },
  {
    rule: 'the binding of a session records a limited number of changes',
    file: 'src/sessions/binding.ts',
    from: 'report.changes.size >= maxReports ||',
    to: '',
    test: 'test/sessions/binding.test.ts',
  },
  {
    rule: 'a list of sessions binds each of them',
    file: 'src/sessions/validate-many.ts',
    from: "return refusal('INVALID_SESSION')\n    }",
    to: '}',
    test: 'test/sessions/binding.test.ts',
  },
  {
    rule: 'a back end compares the visitors of a bound session in its cache',
    file: 'packages/server/src/session-cache.ts',
    from: 'entry.binding !== undefined && !isBoundTo(entry.binding, token, endUser)',
    to: 'false',
    test: 'test/packages/server/binding.test.ts',
  },
  {
    rule: 'a back end takes the address for a binding only from a trusted proxy',
    file: 'packages/server/src/end-user.ts',
    from: "if (connected === '' || (connected !== undefined && !isTrusted(connected))) return connected",
    to: '',
    test: 'test/packages/server/binding.test.ts',
  },
  {
    rule: 'a back end tells visitors of one bound session apart while it asks for it',
    file: 'packages/server/src/ask-queue.ts',
    from: 'JSON.stringify([token, endUser?.ip, endUser?.user_agent])',
    to: 'token',
    test: 'test/packages/server/binding.test.ts',
  },
]
