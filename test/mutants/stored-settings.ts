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
]
