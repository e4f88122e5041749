import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'the console offers an action only to visitors to whom the API allows it',
    file: 'src/screens/console/users/user/view.ts',
    from: 'may(action.right) && ',
    to: '',
    test: 'test/screens/console/people.test.ts',
  },
  {
    rule: 'the form of another page starts no bulk action',
    file: 'src/screens/console/users/bulk/routes.ts',
    from: 'await member.submit(bulkConfirmPath, formToken, call(BulkRoute,',
    to: 'await member.api(call(BulkRoute,',
    test: 'test/screens/console/people.test.ts',
  },
  {
    rule: 'the form of another page changes no message template',
    file: 'src/screens/console/messages/templates/routes.ts',
    from: 'await member.submit<unknown>(path, formToken, change)',
    to: 'await member.api<unknown>(change)',
    test: 'test/screens/console/messages.test.ts',
  },
  {
    rule: 'a refused page of the console leaves a trace',
    file: 'src/ui/console/admin-visit.ts',
    from: '  await member.recordDenial(member.profile.user, impersonatedBy ?? undefined)\n',
    to: '',
    test: 'test/screens/console/security.test.ts',
  },
  {
    rule: 'no session of an application opens the console',
    file: 'src/ui/console/admin-visit.ts',
    from: '      if (session.application !== null) return deny(member, session)\n',
    to: '',
    test: 'test/screens/console/console.test.ts',
  },
  {
    rule: 'after a sign-in in the middle of a form of the console, the browser shows the form',
    file: 'src/ui/console/admin-visit.ts',
    from: 'isPage(request) ? pageAddress(request)',
    to: "request.method === 'GET' ? pageAddress(request)",
    test: 'test/screens/console/return.test.ts',
  },
  {
    rule: 'the console marks only the email address that was shown as verified',
    file: 'src/screens/console/users/user/actions/profile-actions.ts',
    from: 'body: { is_verified: true, expected_updated_at: updated_at }',
    to: 'body: { is_verified: true }',
    test: 'test/screens/console/people.test.ts',
  },
]
