import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'whoever agrees to something names the version that they have seen',
    file: 'src/modules/privacy/pages/overview/routes.ts',
    from: ', gdpr_consent_version: choice',
    to: '',
    test: 'test/pages/account/privacy.test.ts',
  },
  {
    rule: 'a deletion is asked for by who has proved a short while ago to be there',
    file: 'src/modules/privacy/request-deletion.ts',
    from: '  await proveIdentity(ctx, view, { ...from, currentPassword })\n',
    to: '',
    test: 'test/modules/privacy/deletion.test.ts',
  },
  {
    rule: 'the last superadmin does not go by an older request for deletion',
    file: 'src/modules/privacy/run-deletions.ts',
    from: "user.user_type === 'superadmin' && (await isLastSuperadmin(tx, user.id))",
    to: "user.user_type === ''",
    test: 'test/modules/privacy/deletion.test.ts',
  },
  {
    rule: 'who is restored is not deleted again by an older request',
    file: 'src/modules/privacy/personal-data.ts',
    from: '    await deletePendingRequest(tx.db, userId)\n',
    to: '',
    test: 'test/modules/privacy/deletion.test.ts',
  },
  {
    rule: 'a file with the data of a person is asked for by who has proved to be there',
    file: 'src/modules/privacy/request-export.ts',
    from: '  await proveIdentity(ctx, view, { ...from, currentPassword })\n',
    to: '',
    test: 'test/modules/privacy/export.test.ts',
  },
  {
    rule: 'the data of a person are sealed at rest',
    file: 'src/modules/privacy/make-export.ts',
    from: 'const archive = seal(ctx.dataKeys, JSON.stringify(collected))',
    to: 'const archive = JSON.stringify(collected)',
    test: 'test/modules/privacy/export.test.ts',
  },
  {
    rule: 'an administrator sets the export of nobody going whom roles forbid',
    file: 'src/modules/privacy/by-admin.ts',
    from: '    await locked.allow(action)\n',
    to: '',
    test: 'test/modules/privacy/by-admin.test.ts',
  },
  {
    rule: 'where an administrator works is not written down as a proof about a person',
    file: 'src/modules/privacy/history.ts',
    from: "source === 'self' ? device : undefined",
    to: 'device',
    test: 'test/modules/privacy/by-admin.test.ts',
  },
  {
    rule: 'a consent is written by a session that is still alive',
    file: 'src/modules/privacy/update-status.ts',
    from: 'if (!present || !(await isLive(change.db, session.id)))',
    to: 'if (!present)',
    test: 'test/admin/ended-session.test.ts',
  },
  {
    rule: 'many requests for deletion at one instant are one',
    file: 'src/modules/privacy/request-deletion.ts',
    from: 'if (await insertRequest(change.db, row)) {',
    to: 'if ((await insertRequest(change.db, row)) || row.id) {',
    test: 'test/modules/privacy/deletion.test.ts',
  },
]
