import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a cancelled sign-in ends the session that waits for its second factor',
    file: 'src/screens/sign-in/login/routes.ts',
    from: 'if (!current.body.requires_2fa) return nothing',
    to: 'return nothing',
    test: 'test/screens/flow-cancel.test.ts',
  },
  {
    rule: 'a cancelled sign-in ends no session from before',
    file: 'src/screens/sign-in/login/routes.ts',
    from: 'if (!current.body.requires_2fa) return nothing',
    to: '',
    test: 'test/screens/flow-cancel.test.ts',
  },
  {
    rule: 'nobody with two session cookies is told to be signed out already',
    file: 'src/screens/sign-out/routes.ts',
    from: '  if (isAmbiguous(request, ctx.config)) return true\n',
    to: '',
    test: 'test/screens/logout.test.ts',
  },
  {
    rule: 'a form of another site makes no account and signs nobody in to it',
    file: 'src/screens/registration/register/routes.ts',
    from: 'visit.submit(path, formToken, call(RegisterRoute,',
    to: 'visit.api(call(RegisterRoute,',
    test: 'test/screens/register.test.ts',
  },
  {
    rule: 'a form of another site sets no password in the browser that opened the link',
    file: 'src/screens/password-reset/routes.ts',
    from: 'visit.submit(kept.form, formToken, call(CompleteResetRoute,',
    to: 'visit.api(call(CompleteResetRoute,',
    test: 'test/screens/reset.test.ts',
  },
  {
    rule: 'the secret of a reset link leaves the address before a page is shown',
    file: 'src/screens/password-reset/routes.ts',
    from: "visit.keep('reset', token)\n        visit.forget('reset_code')\n        return visit.go(resetPath)",
    to: 'return choose(ctx, visit, token)',
    test: 'test/screens/reset.test.ts',
  },
  {
    rule: 'a form for one reset link sets no password by another link',
    file: 'src/screens/password-reset/routes.ts',
    from: '`${resetPath} ${token}`',
    to: '`${resetPath} ${token.length}`',
    test: 'test/screens/reset.test.ts',
  },
  {
    rule: 'a form for one reset code sets no password by another code',
    file: 'src/screens/password-reset/routes.ts',
    from: '`${resetPath} ${kept}`',
    to: '`${resetPath} ${kept.split(" ")[0]?.length}`',
    test: 'test/screens/reset.test.ts',
  },
  {
    rule: 'a form of another site makes nobody the first administrator',
    file: 'src/screens/start/setup/routes.ts',
    from: 'visit.submit(setupPath, formToken, ',
    to: 'visit.api(',
    test: 'test/screens/setup.test.ts',
  },
  {
    rule: 'only a form of ours cancels a sign-in',
    file: 'src/screens/sign-in/login/routes.ts',
    from: 'if (!isOwn || !visit.flow',
    to: 'if (!visit.flow',
    test: 'test/screens/flow-cancel.test.ts',
  },
]
