import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'no page redirects an impersonated session to an application',
    file: 'src/ui/flow/end-flow.ts',
    from: 'if (session?.rejectImpersonated && (flow.codeChallenge !== undefined || !isProven || !isAccepted))',
    to: 'if (session?.rejectImpersonated && !isProven)',
    test: 'test/admin/impersonation.test.ts',
  },
  {
    rule: 'a kept flow that we did not sign is nothing',
    file: 'src/ui/flow/flow.ts',
    from: '  if (!equalSecrets(mac, signature(AUTH_SECRET, id, payload))) return undefined\n',
    to: '',
    test: 'test/screens/flow.test.ts',
  },
  {
    rule: 'a kept flow is good for its own id only',
    file: 'src/ui/flow/flow.ts',
    from: "'sign-in-flow', `${id}.${payload}`",
    to: "'sign-in-flow', payload",
    test: 'test/screens/flow.test.ts',
  },
  {
    rule: 'a flow ends after an hour',
    file: 'src/ui/flow/flow.ts',
    from: 'return now - flow.startedAt < flowLifetime ? flow : undefined',
    to: 'return now > 0 ? flow : undefined',
    test: 'test/screens/flow.test.ts',
  },
  {
    rule: 'the cookies of kept flows fit the header of a request',
    file: 'src/ui/flow/flow-cookies.ts',
    from: 'value.length <= maxShortSize ? shortNames : [longName]',
    to: '[...shortNames, longName]',
    test: 'test/screens/flow.test.ts',
  },
  {
    rule: 'flows that begin together do not take the same place',
    file: 'src/ui/flow/flow-cookies.ts',
    from: 'free[turns++ % free.length]',
    to: 'free[0]',
    test: 'test/screens/flow.test.ts',
  },
  {
    rule: 'a flow that demands a fresh proof gets one',
    file: 'src/ui/flow/end-flow.ts',
    from: 'session.provedAt.getTime() >= earliestProof(flow, now)',
    to: 'session.provedAt.getTime() > 0',
    test: 'test/screens/flow.test.ts',
  },
  {
    rule: 'no page returns to an address that is not allowed',
    file: 'src/ui/flow/sign-in-request.ts',
    from: 'const returnTo = allowedReturnAddress(config, query.return_to)',
    to: 'const returnTo = allowedReturnAddress(config, query.return_to) ?? query.return_to',
    test: 'test/screens/flow.test.ts',
  },
  {
    rule: 'a cancelled sign-in leads to an application, never to a page of the service',
    file: 'src/ui/flow/flow.ts',
    from: 'returnTo && new URL(returnTo).origin !== new URL(PUBLIC_URL).origin ? returnTo : undefined',
    to: 'returnTo',
    test: 'test/screens/flow-cancel.test.ts',
  },
]
