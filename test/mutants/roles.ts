import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a link preselects no role with more rights than an administrator',
    file: 'src/screens/console/users/new/preselect.ts',
    from: " && staff.covers('admin', role)",
    to: '',
    test: 'test/roles/console.test.ts',
  },
  {
    rule: 'nobody gives permissions that they lack',
    file: 'src/roles/read-input.ts',
    from: 'if (missing.length > 0)',
    to: 'if (missing.length > 1_000)',
    test: 'test/roles/manage.test.ts',
  },
  {
    rule: 'only superadmins give sensitive permissions',
    file: 'src/roles/read-input.ts',
    from: 'if (sensitive.length > 0 && !isSuperadmin(actor))',
    to: 'if (sensitive.length > 1_000 && !isSuperadmin(actor))',
    test: 'test/roles/manage.test.ts',
  },
  {
    rule: 'nobody changes their own role',
    file: 'src/roles/change-role.ts',
    from: 'user.user_type === role.key || ',
    to: '',
    test: 'test/roles/manage.test.ts',
  },
  {
    rule: 'nobody changes a role that may do more',
    file: 'src/roles/change-role.ts',
    from: ' || !tx.staff.covers(user.user_type, role.key)',
    to: '',
    test: 'test/roles/manage.test.ts',
  },
  {
    rule: 'a role does not take over users of a former type',
    file: 'src/roles/change-role.ts',
    from: 'if (users > 0) throw invalidField',
    to: 'if (users < 0) throw invalidField',
    test: 'test/roles/manage.test.ts',
  },
  {
    rule: 'a change of a role takes effect with the next request',
    file: 'src/http/access/guard.ts',
    from: 'if (rule.access.permission) await edge.ctx.staff.refresh(edge.ctx.db)',
    to: '',
    test: 'test/roles/manage.test.ts',
  },
  {
    rule: 'staff is created only by those who may set roles',
    file: 'src/http/access/permissions.ts',
    from: "!staff.may(actor.user_type, 'users:set_role')",
    to: "!staff.may(actor.user_type, 'users:create')",
    test: 'test/roles/manage.test.ts',
  },
  {
    rule: 'the service does not start with a user type that has the name of a role',
    file: 'src/roles/watch-roles.ts',
    from: 'if (clashing.length > 0)',
    to: 'if (clashing.length > 1_000)',
    test: 'test/roles/start.test.ts',
  },
  {
    rule: 'roles that superadmins have added need the second factor that built-in staff needs',
    file: 'src/config/user-types.ts',
    from: '    builtInRoles.some((role) => listed.includes(role)))',
    to: '    false)',
    test: 'test/roles/second-factor.test.ts',
  },
]
