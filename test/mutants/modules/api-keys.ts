import type { Mutant } from '../list.ts'

const [own, accounts, credential] = ['own-keys', 'service-accounts', 'credential'].map(
  (name) => `test/modules/api-keys/${name}.test.ts`,
) as [string, string, string]

const applicationScopes = 'test/modules/api-keys/application-scopes.test.ts'
const consolePages = 'test/modules/api-keys/console-pages.test.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a key without its restriction is not created because a member is misspelt',
    file: 'src/modules/api-keys/routes.ts',
    from: ', strictBody: ownersOfKeys',
    to: '',
    test: 'test/modules/api-keys/own-keys.test.ts',
  },
  {
    rule: 'the keys of a user are not all revoked because a member is misspelt',
    file: 'src/modules/api-keys/admin-routes.ts',
    from: "const revoke = { access: staffWithReauth('keys:manage'), limit: 'admin', module, strictBody: [] }",
    to: "const revoke = { access: staffWithReauth('keys:manage'), limit: 'admin', module }",
    test: 'test/modules/api-keys/service-accounts.test.ts',
  },
  {
    rule: 'only superadmins give API keys sensitive permissions of applications',
    file: 'src/modules/api-keys/scopes.ts',
    from: '!sensitive || isSuperadmin(user)',
    to: '!sensitive || !isSuperadmin(user) || isSuperadmin(user)',
    test: applicationScopes,
  },
  {
    rule: 'an API key gets only permissions of applications that its creator has',
    file: 'src/modules/api-keys/scopes.ts',
    from: 'offered.filter((key) => own?.has(key) === true)',
    to: 'offered.filter((key) => own?.has(key) !== undefined)',
    test: applicationScopes,
  },
  {
    rule: 'the details of a user contain API keys only for those who may see keys',
    file: 'src/modules/api-keys/user-keys.ts',
    from: "  if (!can('service_accounts:read')) return undefined\n",
    to: '',
    test: consolePages,
  },
  {
    rule: 'the addresses from which staff use keys are visible only to their equals',
    file: 'src/modules/api-keys/user-keys.ts',
    from: 'showsAddress ? row',
    to: 'true ? row',
    test: accounts,
  },
  {
    rule: 'an API key gets only scopes that its creator may give',
    file: 'src/modules/api-keys/scopes.ts',
    from: '  if (refused.length === 0) return\n',
    to: '  if (refused.length >= 0) return\n',
    test: own,
  },
  {
    rule: 'an API key is replaced only by those who may give its scopes',
    file: 'src/modules/api-keys/change-keys.ts',
    from: '  assertScopes(change.allowed, former.scopes)\n',
    to: '',
    test: accounts,
  },
  {
    rule: 'an API key of a service account gets only scopes of the account',
    file: 'src/modules/api-keys/account-keys.ts',
    from: 'allowed.filter((scope) => account.scopes.includes(scope))',
    to: 'allowed',
    test: accounts,
  },
  {
    rule: 'a service account with scopes above those of an administrator is not changed by them',
    file: 'src/modules/api-keys/change-accounts.ts',
    from: 'if (!isOnlyDisabled) assertScopes(allowed, [...account.scopes, ...scopes])',
    to: 'if (!isOnlyDisabled) assertScopes(allowed, scopes.filter((one) => !account.scopes.includes(one)))',
    test: accounts,
  },
  {
    rule: 'an API key is created only after a recent authentication',
    file: 'src/modules/api-keys/own-keys.ts',
    from: '  assertRecentProof(ctx, view)\n',
    to: '',
    test: own,
  },
  {
    rule: 'an API key is created only in a session that the second factor has confirmed',
    file: 'src/modules/api-keys/own-keys.ts',
    from: '      await assertFactorConfirmed(tx, user, view)\n',
    to: '',
    test: own,
  },
  {
    rule: 'a revoked API key leaves the memory of the node at once',
    file: 'src/modules/api-keys/change-keys.ts',
    from: '  invalidateKeys(tx, ended)\n',
    to: '',
    test: credential,
  },
  {
    rule: 'an API key of a blocked user is rejected',
    file: 'src/modules/api-keys/credential-queries.ts',
    from: "(u.deleted_at IS NULL AND NOT ${isBlocked(now, 'u.id')})",
    to: '(u.deleted_at IS NULL)',
    test: credential,
  },
  {
    rule: 'API keys end when their user is deleted, and are not revived',
    file: 'src/modules/api-keys/personal-data.ts',
    from: "    await revokeKeys(tx, { ...ofUser(userId), reason: 'user_deleted' })\n",
    to: '',
    test: own,
  },
  {
    rule: 'an API key of a disabled service account is rejected',
    file: 'src/modules/api-keys/live-account-queries.ts',
    from: '  is_live && (!isByOwners',
    to: '  (!isByOwners',
    test: credential,
  },
  {
    rule: 'API keys of a service account without a live owner are rejected',
    file: 'src/modules/api-keys/live-account-queries.ts',
    from: ' || owners.some((one) => one.is_live))',
    to: ' || owners.length > 0)',
    test: credential,
  },
  {
    rule: 'an API key pauses without the second factor that its user must have',
    file: 'src/modules/api-keys/credential.ts',
    from: 'isPaused: await lacksFactor(ctx, user)',
    to: 'isPaused: false',
    test: credential,
  },
  {
    rule: 'API keys of a backup end when it is restored',
    file: 'src/backup/finish-restore.ts',
    from: 'keepSessions || keepKeys ? 0 : await ctx.endModuleCredentials()',
    to: '0',
    test: 'test/modules/api-keys/restore.test.ts',
  },
]
