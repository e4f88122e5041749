import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'an app takes no answer to another sign-in',
    file: 'packages/client/src/handover.ts',
    from: "if (search.getAll('state').join() !== state)",
    to: "if (search.get('state') === null)",
    test: 'test/packages/mobile-app.test.ts',
  },
  {
    rule: 'the client keeps no session that waits for a second factor',
    file: 'packages/client/src/client.ts',
    from: ' || reply.success !== true || reply.passkey_required ||',
    to: ' || reply.passkey_required ||',
    test: 'test/packages/client/client.test.ts',
  },
  {
    rule: 'the client keeps no session that waits for a passkey after a second factor',
    file: 'packages/client/src/client.ts',
    from: ' || reply.passkey_required ||',
    to: ' ||',
    test: 'test/packages/client/client.test.ts',
  },
  {
    rule: 'a second factor does not sign in where a passkey is required',
    file: 'packages/client/src/client.ts',
    from: 'return verified.passkey_required ? passkeyRequired(verified) : signedIn(verified)',
    to: 'return signedIn(verified)',
    test: 'test/packages/client/client.test.ts',
  },
  {
    rule: 'the session of a recovery is not reported as a sign-in',
    file: 'packages/client/src/client.ts',
    from: " || path === '/auth/recovery') return",
    to: ') return',
    test: 'test/packages/client/client.test.ts',
  },
  {
    rule: 'the client says that nobody is signed in only when the service has said so',
    file: 'packages/client/src/client.ts',
    from: 'if (error instanceof WardenryError && hasEnded(error)) return null',
    to: 'if (error instanceof WardenryError) return null',
    test: 'test/packages/client/client.test.ts',
  },
  {
    rule: 'the client keeps its session through any other rejection',
    file: 'packages/client/src/client.ts',
    from: 'if (!isKept || !hasEnded(error)) return error',
    to: 'if (!isKept) return error',
    test: 'test/packages/client/client.test.ts',
  },
]
