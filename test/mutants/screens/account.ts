import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a page shows every language that a row may hold',
    file: 'src/screens/account/profile/profile-choices.ts',
    from: 'const tag = canonicalLanguage(text)',
    to: 'const tag: string | undefined = text',
    test: 'test/screens/account/profile.test.ts',
  },
  {
    rule: 'one account holds one place for forms with a picture',
    file: 'src/screens/account/profile/picture-routes.ts',
    from: 'atMost(1, profile',
    to: 'atMost(100, profile',
    test: 'test/screens/account/profile.test.ts',
  },
  {
    rule: 'one address holds two places for forms with a picture',
    file: 'src/screens/account/profile/picture-routes.ts',
    from: 'const atOnceOfAddress = 2',
    to: 'const atOnceOfAddress = 100',
    test: 'test/screens/account/profile.test.ts',
  },
  {
    rule: 'a form with a picture of another site is refused before it takes a place',
    file: 'src/screens/account/profile/picture-routes.ts',
    from: '!isOwnForm(request.headers, ctx.config)',
    to: 'false',
    test: 'test/screens/account/profile.test.ts',
  },
  {
    rule: 'a form of another site links no account of somebody else',
    file: 'src/screens/account/linked/routes.ts',
    from: 'member.submit(addPath, formToken, call(LinkRoute,',
    to: 'member.api(call(LinkRoute,',
    test: 'test/screens/account/linked.test.ts',
  },
  {
    rule: 'a form of another site deletes no account',
    file: 'src/screens/account/personal-data/delete/routes.ts',
    from: '!(await member.isOwn(deletePath, page))',
    to: 'page === undefined',
    test: 'test/screens/account/privacy.test.ts',
  },
  {
    rule: 'an account is deleted at once by whoever types its address, not by a slip',
    file: 'src/screens/account/personal-data/delete/routes.ts',
    from: 'email.trim().toLowerCase() !== user.email',
    to: "email === ''",
    test: 'test/screens/account/privacy.test.ts',
  },
  {
    rule: 'whoever proved who they are goes on to a page of their account, and nowhere else',
    file: 'src/ui/account/own-address.ts',
    from: '/^\\/(account|admin)(\\/[a-z0-9_-]+)*(\\?[\\w=&%.+~*-]*)?$/',
    to: '/^\\//',
    test: 'test/screens/account/shell.test.ts',
  },
  {
    rule: 'all other sessions end only by a form of our own page',
    file: 'src/screens/account/sessions/routes.ts',
    from: 'member.submit(endOthersPath, request.body.page, ',
    to: 'member.api(',
    test: 'test/screens/account/sessions.test.ts',
  },
  {
    rule: 'a number is not given again by whoever only saves their name',
    file: 'src/screens/account/profile/routes.ts',
    from: '{ body: profile }',
    to: '{ body: { ...profile, phone: member.profile.phone } }',
    test: 'test/screens/account/profile.test.ts',
  },
]
