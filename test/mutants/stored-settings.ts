import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'settings are changed only with recent authentication',
    file: 'src/stored-settings/routes.ts',
    from: '        assertRecentProof(ctx, request.auth)\n',
    to: '',
    test: 'test/stored-settings/change.test.ts',
  },
  {
    rule: 'a change of settings that others changed meanwhile is refused',
    file: 'src/stored-settings/change-settings.ts',
    from: 'if (input.version !== undefined && input.version !== versionOf(rows))',
    to: 'if (false)',
    test: 'test/stored-settings/change.test.ts',
  },
  {
    rule: 'superadmins cannot lock themselves out by a setting',
    file: 'src/stored-settings/change-settings.ts',
    from: '      if (view) assertKeepsAccess(tx, view, rows, input.changes)\n',
    to: '',
    test: 'test/two-factor/stored-requirement.test.ts',
  },
  {
    rule: 'passwords are not switched off while no superadmin could sign in',
    file: 'src/stored-settings/keeps-sign-in.ts',
    from: '  if (problem) throw reject(problem)\n',
    to: '',
    test: 'test/stored-settings/passwords.test.ts',
  },
  {
    rule: 'a superadmin cannot switch off their own only way to sign in',
    file: 'src/stored-settings/keeps-sign-in.ts',
    from: '  if (view && !(await canSignIn(ctx, view.user.id, after))) throw reject(leavesYouOut)\n',
    to: '',
    test: 'test/stored-settings/passwords.test.ts',
  },
  {
    rule: 'a change that locks users out needs their number',
    file: 'src/stored-settings/keeps-sign-in.ts',
    from: 'if (count <= lockedOut) return',
    to: 'if (count <= lockedOut + 1) return',
    test: 'test/stored-settings/passwords.test.ts',
  },
  {
    rule: 'a change that removes any way to sign in is checked, also while passwords stay on or off',
    file: 'src/stored-settings/keeps-sign-in.ts',
    from: 'if (!removesMethod(offered, offeredMethods(after))) return',
    to: 'if (after.PASSWORDS_ENABLED || !before.PASSWORDS_ENABLED) return',
    test: 'test/stored-settings/sign-in-methods.test.ts',
  },
  {
    rule: 'passkeys are not switched off while no superadmin could sign in without',
    file: 'src/sign-in-methods/locked-out.ts',
    from: '!(await someoneCan(after)) ? lastSuperadmin',
    to: 'false ? lastSuperadmin',
    test: 'test/stored-settings/sign-in-methods.test.ts',
  },
]
