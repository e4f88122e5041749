import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a form that another site submits is not shown again with its values and a new token',
    file: 'src/pages/shared/own-form.ts',
    from: "throw new AppError('CSRF_REJECTED')",
    to: 'return false',
    test: 'test/pages/sign-in.test.ts',
  },
  {
    rule: 'a form that names a part of a path calls no other path',
    file: 'src/pages/shared/call-api.ts',
    from: '!isPlain(path)',
    to: "path === ''",
    test: 'test/pages/account/sessions.test.ts',
  },
  {
    rule: 'the switch of languages listens to forms of our own pages only',
    file: 'src/pages/language/routes.ts',
    from: 'lang && (await isFromOwnForm(ctx, request, { action: path, page }))',
    to: 'lang && page !== undefined',
    test: 'test/pages/language.test.ts',
  },
  {
    rule: 'the switch of languages leads back to this service, and nowhere else',
    file: 'src/pages/language/routes.ts',
    from: 'isOwnPath(back) ? back :',
    to: 'back ? back :',
    test: 'test/pages/language.test.ts',
  },
  {
    rule: 'a page asks no other host for a picture',
    file: 'src/pages/shared/profile.ts',
    from: 'user.picture.startsWith(kept) ? user.picture.slice(PUBLIC_URL.length) : undefined',
    to: 'user.picture.startsWith(kept) ? user.picture.slice(PUBLIC_URL.length) : user.picture || undefined',
    test: 'test/pages/account/profile.test.ts',
  },
  {
    rule: 'a form of a page counts only when it was sent from a page of ours',
    file: 'src/pages/shared/own-form.ts',
    from: '!(await isSentFromHere(ctx, request, sender))',
    to: 'false',
    test: 'test/pages/sign-in.test.ts',
  },
  {
    rule: 'what is asked of the API for a form is asked for a form of ours',
    file: 'src/pages/shared/visit.ts',
    from: '(await isOwn(action, page)) ?',
    to: 'page !== undefined ?',
    test: 'test/pages/own-form.test.ts',
  },
  {
    rule: 'a form that another site sends leaves a trace',
    file: 'src/pages/shared/own-form.ts',
    from: 'await recordCsrf(ctx, request, { actor })',
    to: '',
    test: 'test/pages/own-form.test.ts',
  },
  {
    rule: 'a form with a forged token leaves a trace',
    file: 'src/pages/shared/own-form.ts',
    from: "if (state === 'forged') await recordCsrf(",
    to: "if (state === 'expired') await recordCsrf(",
    test: 'test/pages/own-form.test.ts',
  },
  {
    rule: 'a form of a page counts only in the browser for which it was made',
    file: 'src/pages/shared/own-form.ts',
    from: "onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME) ?? ''",
    to: "onlyCookie(request.headers.cookie, `${config.SESSION_COOKIE_NAME}_`) ?? ''",
    test: 'test/pages/sign-in.test.ts',
  },
]
