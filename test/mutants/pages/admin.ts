import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'the console offers an action only to visitors to whom the API allows it',
    file: 'src/pages/admin/people/person/view.ts',
    from: 'may(action.right) && ',
    to: '',
    test: 'test/pages/admin/people.test.ts',
  },
  {
    rule: 'the form of another page starts no bulk action',
    file: 'src/pages/admin/people/bulk/routes.ts',
    from: 'await member.submit<{ data: { results: ShownBulkResult[] } }>(bulkConfirmPath, formToken, {',
    to: 'await member.api<{ data: { results: ShownBulkResult[] } }>({',
    test: 'test/pages/admin/people.test.ts',
  },
  {
    rule: 'the form of another page changes no message template',
    file: 'src/pages/admin/messages/templates/routes.ts',
    from: "await member.submit(path, formToken, calls[isKnown ? action : 'save'](apiPath(params), draft))",
    to: "await member.api(calls[isKnown ? action : 'save'](apiPath(params), draft))",
    test: 'test/pages/admin/messages.test.ts',
  },
  {
    rule: 'a refused page of the console leaves a trace',
    file: 'src/pages/admin/shared/admin-visit.ts',
    from: '  await member.recordDenial(member.profile.user, impersonatedBy ?? undefined)\n',
    to: '',
    test: 'test/pages/admin/security.test.ts',
  },
  {
    rule: 'no session of an application opens the console',
    file: 'src/pages/admin/shared/admin-visit.ts',
    from: '      if (session.application !== null) return deny(member, session)\n',
    to: '',
    test: 'test/pages/admin/console.test.ts',
  },
  {
    rule: 'the console marks only the email address that was shown as verified',
    file: 'src/pages/admin/people/person/core-actions.ts',
    from: 'body: { is_verified: true, expected_updated_at: updated_at }',
    to: 'body: { is_verified: true }',
    test: 'test/pages/admin/people.test.ts',
  },
]
