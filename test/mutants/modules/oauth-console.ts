import type { Mutant } from '../list.ts'

const diagnostics = 'test/modules/oauth/client-diagnostics.test.ts'
const pages = 'test/modules/oauth/console-pages.test.ts'
const folder = 'src/modules/oauth'

export const mutants: Mutant[] = [
  {
    rule: 'the token of a test is revoked',
    file: `${folder}/token-test/test-client.ts`,
    from: '    await insertRevoked(tx.db, { token_id, created_at: tx.clock.date(), expires_at })\n',
    to: '',
    test: diagnostics,
  },
  {
    rule: 'a test of a client needs the permission and a recent authentication',
    file: `${folder}/token-test/test-client.ts`,
    from: `  await asStaff(ctx, request, attempt, async (tx) => {
    if (!(await findClient(tx.db, request.clientId))) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
  })
`,
    to: "  if (attempt && !(await findClient(ctx.db, request.clientId))) throw new AppError('OAUTH_CLIENT_NOT_FOUND')\n",
    test: diagnostics,
  },
  {
    rule: 'a test of a client counts against its limit',
    file: `${folder}/token-test/test-client.ts`,
    from: '    count(client)\n',
    to: '',
    test: diagnostics,
  },
  {
    rule: 'a test of a client that is disabled issues no token',
    file: `${folder}/token-test/test-client.ts`,
    from: "  if (!client?.isLive) throw new FailedClientTest('not_live')\n",
    to: "  if (!client) throw new FailedClientTest('not_live')\n",
    test: diagnostics,
  },
  {
    rule: 'the record of a rejected request contains only scopes that have the form of a scope',
    file: `${folder}/rejections/record-rejection.ts`,
    from: 'scopesIn(scope).filter(isScope)',
    to: 'scopesIn(scope)',
    test: diagnostics,
  },
  {
    rule: 'the record of a rejected request contains the resource without its query',
    file: `${folder}/rejections/record-rejection.ts`,
    from: 'withoutSecrets(shownPage(url))',
    to: 'withoutSecrets(url.href)',
    test: diagnostics,
  },
  {
    rule: 'the record of a rejected request contains nothing of the resource that may be a secret',
    file: `${folder}/rejections/record-rejection.ts`,
    from: 'withoutSecrets(shownPage(url))',
    to: 'shownPage(url)',
    test: diagnostics,
  },
  {
    rule: 'a rejected request is recorded once a minute',
    file: `${folder}/rejections/record-rejection.ts`,
    from: '  if (!isNewOf(ctx)(`${client.id} ${reason}`, ctx.clock.now())) return\n',
    to: '',
    test: diagnostics,
  },
  {
    rule: 'the identifier of an API cannot add a command to those that the console shows',
    file: 'src/lib/shell-quoted.ts',
    from: 'isPlain(value) ? value :',
    to: 'value ? value :',
    test: pages,
  },
  {
    rule: 'the form of a client does not overwrite changes of others',
    file: `${folder}/pages/clients/routes.ts`,
    from: "    expected_updated_at: typed.expected_updated_at ?? '',\n",
    to: '',
    test: pages,
  },
  {
    rule: 'the page for adding a client is not shown to those who may not add one',
    file: `${folder}/pages/clients/new/routes.ts`,
    from: "  if (!member.can('applications:manage')) throw new AppError('FORBIDDEN')\n",
    to: '',
    test: pages,
  },
  {
    rule: 'the page for testing a client is not shown to those who may not test one',
    file: `${folder}/pages/clients/test/routes.ts`,
    from: "  if (!member.can('applications:manage')) throw new AppError('FORBIDDEN')\n",
    to: '',
    test: pages,
  },
]
