import type { Mutant } from '../list.ts'

const test = 'test/modules/oauth/logout.test.ts'
const calls = 'test/modules/oauth/backchannel.test.ts'
const folder = 'src/modules/oauth/logout'
const hint = `${folder}/read-hint.ts`
const request = `${folder}/read-end-request.ts`

export const mutants: Mutant[] = [
  {
    rule: 'after a sign-out, users are sent only to addresses of the client that are registered',
    file: request,
    from: '!client.signIn.postLogoutUris.includes(address)',
    to: '!URL.canParse(address)',
    test,
  },
  {
    rule: 'the ID token belongs to the client that asks for the sign-out',
    file: request,
    from: 'hint && client_id !== undefined && hint.client.clientId !== client_id',
    to: 'hint && client_id === null',
    test,
  },
  {
    rule: 'the signature of an ID token that asks for a sign-out is checked',
    file: hint,
    from: '!isSignedBy(key, jwt)',
    to: 'jwt.signed === ""',
    test,
  },
  {
    rule: 'an ID token is no hint after 90 days',
    file: hint,
    from: 'const maxAge = 90 * day',
    to: 'const maxAge = 900 * day',
    test,
  },
  {
    rule: 'only the ID token of this session signs a user out without asking',
    file: `${folder}/routes.ts`,
    from: ' && sidOf(ctx, visitor.session.id, client) === sid',
    to: '',
    test,
  },
  {
    rule: 'only the ID token of this user signs them out without asking',
    file: `${folder}/routes.ts`,
    from: 'asked.hint && (await isOfSession(ctx, request, asked.hint))',
    to: 'asked.hint',
    test,
  },
  {
    rule: 'the form that confirms a sign-out is of this service',
    file: `${folder}/routes.ts`,
    from: 'if (!isOwn) return',
    to: 'if (isOwn === undefined) return',
    test,
  },
  {
    rule: 'a prefetch signs nobody out',
    file: `${folder}/routes.ts`,
    from: 'isPrefetch(request) ? reply.code(204).send() : ',
    to: '',
    test,
  },
  {
    rule: 'the keys that sign hints are not removed as compromised',
    file: 'src/modules/oauth/directory-queries.ts',
    from: "    .where('status', '<>', 'removed')\n",
    to: '',
    test,
  },
  {
    rule: 'logout tokens have a type of their own',
    file: `${folder}/send-logout-token.ts`,
    from: "logoutTokenType = 'logout+jwt'",
    to: "logoutTokenType = 'JWT'",
    test: calls,
  },
  {
    rule: 'clients at private addresses are called only if the settings list them',
    file: `${folder}/send-logout-token.ts`,
    from: 'ctx.config.OAUTH_ALLOW_PRIVATE_HOSTS.includes(hostname) ? [origin] : []',
    to: '[origin]',
    test: calls,
  },
  {
    rule: 'clients are also told of sessions that expire',
    file: 'src/modules/oauth/grants/end-expired.ts',
    from: 'if (over.length > 0) await noteSessionEnds(tx.db, over, now)',
    to: '',
    test: calls,
  },
  {
    rule: 'clients are told of the end of a session whatever became of their access',
    file: 'src/modules/oauth/grants/expiry-queries.ts',
    from: '\n      AND (g.ended_at IS NULL OR g.session_ended_at IS NULL AND g.last_used_at IS NOT NULL)',
    to: '\n      AND g.ended_at IS NULL',
    test: calls,
  },
  {
    rule: 'a receiver has a limit of its own, so that it delays nobody',
    file: `${folder}/dispatcher.ts`,
    from: 'const maxOfClient = 4',
    to: 'const maxOfClient = 40',
    test: calls,
  },
  {
    rule: 'a restored copy signs nobody out of the applications of the original',
    file: 'src/modules/oauth/manifest.ts',
    from: '    await eraseAllLogouts(tx.db)\n',
    to: '',
    test: 'test/modules/oauth/restore.test.ts',
  },
]
