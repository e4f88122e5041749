import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'ending all sessions ends the memory of browsers',
    file: 'src/profile/own-sessions.ts',
    from: '    await ctx.secondFactor.forgetBrowsers(tx.db, [view.user.id], ctx.clock.date())\n',
    to: '',
    test: 'test/two-factor/remembered.test.ts',
  },
  {
    rule: 'a changed profile outdates copies',
    file: 'src/profile/write-changes.ts',
    from: '  await invalidateSessions(tx, user.id)\n',
    to: '',
    test: 'test/profile/update.test.ts',
  },
  {
    rule: 'an application without proof ends no session of another browser',
    file: 'src/profile/own-sessions.ts',
    from: '    if (!(await isOfSameSignIn(change.db, view.session, sessionId))) assertRecentProof(ctx, view)\n',
    to: '',
    test: 'test/handover/rights.test.ts',
  },
  {
    rule: 'ending all other sessions needs more than a session',
    file: 'src/profile/own-sessions.ts',
    from: '  await proveIdentity(ctx, view, { ...from, currentPassword })\n',
    to: '',
    test: 'test/profile/sessions.test.ts',
  },
  {
    rule: 'a deletion kills the links of the user',
    file: 'src/profile/delete-user.ts',
    from: '  await voidTokensOf(change.db, user.id, now)\n',
    to: '',
    test: 'test/admin/deletion.test.ts',
  },
  {
    rule: 'everything about a person leaves only for who has proved a short while ago to be there',
    file: 'src/profile/export-data.ts',
    from: '  assertRecentProof(ctx, view)\n',
    to: '',
    test: 'test/profile/export.test.ts',
  },
  {
    rule: 'an export does not tell where administrators work',
    file: 'src/profile/personal-data.ts',
    from: 'ip: isOther ? null : ip',
    to: 'ip',
    test: 'test/profile/export.test.ts',
  },
  {
    rule: 'metadata and picture of a stranger end with the first proof',
    file: 'src/profile/personal-data.ts',
    from: "{ metadata: {}, picture: '' }",
    to: '{}',
    test: 'test/social/first-proof.test.ts',
  },
  {
    rule: 'a profile field that is not in use is refused',
    file: 'src/users/read-changes.ts',
    from: 'if (!isFieldUsed(config, name))',
    to: 'if (!isFieldUsed(config, name) && !config)',
    test: 'test/profile/fields-in-use.test.ts',
  },
  {
    rule: 'a profile field that is not in use is not taken from a provider',
    file: 'src/social/read-identity.ts',
    from: "isFieldUsed(config, 'last_name') ?",
    to: 'true ?',
    test: 'test/profile/fields-in-use.test.ts',
  },
]
