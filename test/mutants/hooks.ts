import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a rejection of the registration hook is final',
    file: 'src/hooks/registration-check.ts',
    from: "if (!answer && ctx.config.REGISTRATION_HOOK_FALLBACK === 'allow') return",
    to: "if (ctx.config.REGISTRATION_HOOK_FALLBACK === 'allow') return",
    test: 'test/hooks/registration-check.test.ts',
  },
  {
    rule: 'without an answer of the registration hook, nobody registers',
    file: 'src/hooks/registration-check.ts',
    from: 'if (answer?.decision) return',
    to: 'if (answer?.decision !== false) return',
    test: 'test/hooks/registration-check.test.ts',
  },
  {
    rule: 'without an answer of the hook, nobody is let in',
    file: 'src/hooks/password-verify.ts',
    from: 'return verified === true || ctx.passwords.verify(null, password)',
    to: 'return verified !== false || ctx.passwords.verify(null, password)',
    test: 'test/hooks/password-verify.test.ts',
  },
  {
    rule: 'only true from the hook lets a user in',
    file: 'src/hooks/call-hook.ts',
    from: "if (typeof decision !== 'boolean') throw",
    to: 'if (decision === undefined) throw',
    test: 'test/hooks/password-verify.test.ts',
  },
  {
    rule: 'only a 200 response of the hook counts',
    file: 'src/hooks/call-hook.ts',
    from: 'if (reply.status !== 200) throw',
    to: 'if (reply.status < 200) throw',
    test: 'test/hooks/password-verify.test.ts',
  },
  {
    rule: 'passwords of users with a hash are not sent to the hook',
    file: 'src/hooks/password-verify.ts',
    from: 'if (!user || user.password_hash !== heldElsewhere)',
    to: 'if (!user)',
    test: 'test/hooks/password-verify.test.ts',
  },
]
