import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a removal of a way to sign in waits for a change of settings that is under way',
    file: 'src/sign-in-methods/hold-settings.ts',
    from: "  await waitForSharedLock(db, 'settings')\n",
    to: '',
    test: 'test/races/last-sign-in-method.test.ts',
  },
  {
    rule: 'a removal of a way to sign in obeys the stored settings, not those that the node remembers',
    file: 'src/sign-in-methods/can-sign-in.ts',
    from: '(await holdSettings(ctx))',
    to: 'ctx.config',
    test: 'test/races/last-sign-in-method.test.ts',
  },
  {
    rule: 'a blocked superadmin is not counted among those who remain',
    file: 'src/sign-in-methods/queries.ts',
    from: 'AND NOT ${isBlocked(now)} AND',
    to: 'AND',
    test: 'test/admin/blocked.test.ts',
  },
  {
    rule: 'the last superadmin is neither demoted nor deleted',
    file: 'src/sign-in-methods/last-superadmin.ts',
    from: ', except: userId',
    to: '',
    test: 'test/admin/deletion.test.ts',
  },
  {
    rule: 'a superadmin who cannot sign in is not counted among those who remain',
    file: 'src/sign-in-methods/queries.ts',
    from: 'isBlocked(now)} AND (${opens(offered)} OR EXISTS',
    to: 'isBlocked(now)} AND (true OR EXISTS',
    test: 'test/admin/last-superadmin.test.ts',
  },
  {
    rule: 'the address of the last superadmin who can sign in only with a link stays verified',
    file: 'src/admin/update-by-admin.ts',
    from: '    await assertSuperadminRemains(locked, changes)\n',
    to: '',
    test: 'test/admin/last-superadmin.test.ts',
  },
]
