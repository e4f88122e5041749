import type { Mutant } from './list.ts'

const bridge = 'test/credentials/bridge.test.ts'
const ownApi = 'test/credentials/own-api.test.ts'
const gateway = 'test/credentials/gateway.test.ts'
const ofApplications = 'test/credentials/application-scopes.test.ts'

export const mutants: readonly Mutant[] = [
  {
    rule: 'a changed staff role takes effect within a second, even if the message is lost',
    file: 'src/roles/watch-roles.ts',
    from: '0.8 * second',
    to: '4 * second',
    test: bridge,
  },
  {
    rule: 'privileged requests do not rely on a cached key',
    file: 'src/http/credentials/authenticate-key.ts',
    from: 'isCopy || isFresh',
    to: 'true',
    test: ownApi,
  },
  {
    rule: 'a cached key is not limited like one that does not exist',
    file: 'src/http/credentials/authenticate-key.ts',
    from: "{ freshness: 'copy', beforeRead",
    to: "{ freshness: 'fresh', beforeRead",
    test: bridge,
  },
  {
    rule: 'a misspelt demand on a credential is rejected, because it would demand nothing',
    file: 'src/credentials/bridge.ts',
    from: 'if (raw.unknownMember !== undefined)',
    to: 'if (false)',
    test: bridge,
  },
  {
    rule: 'a misspelt demand of a gateway is rejected, because it would demand nothing',
    file: 'src/sessions/gateway-routes.ts',
    from: '{ ...config, strictQuery: true }',
    to: 'config',
    test: gateway,
  },
  {
    rule: 'a key is rejected on routes that declare no scope',
    file: 'src/http/credentials/authenticate-key.ts',
    from: "if (scope === undefined) throw new AppError('KEY_NOT_ACCEPTED')",
    to: '',
    test: ownApi,
  },
  {
    rule: 'the scopes of a key are judged at every use',
    file: 'src/http/credentials/assert-allowed.ts',
    from: 'if (!scopes.every((scope) => effective.includes(scope)))',
    to: 'if (false)',
    test: [bridge, ownApi, gateway],
  },
  {
    rule: 'a key with networks is rejected without the address of its caller',
    file: 'src/http/credentials/assert-allowed.ts',
    from: 'address === undefined || !rangesOf(view)(address)',
    to: 'address !== undefined && !rangesOf(view)(address)',
    test: [bridge, gateway],
  },
  {
    rule: "a key of a user has only the staff permissions of the user's present role",
    file: 'src/http/credentials/scopes.ts',
    from: 'user === null || ctx.staff.may(user.user_type, permission)',
    to: 'true',
    test: [bridge, ownApi],
  },
  {
    rule: 'a key of a user has a permission of an application only while the user has it',
    file: 'src/http/credentials/scopes.ts',
    from: 'user ? ofUser?.has(scope) === true : true',
    to: 'true',
    test: ofApplications,
  },
  {
    rule: 'with the secret of an application, a key has no permissions of others',
    file: 'src/http/credentials/scopes.ts',
    from: 'application === undefined || (applicationId !== undefined && application !== applicationId)',
    to: 'application === undefined',
    test: ofApplications,
  },
  {
    rule: 'the back end decides which kinds of credentials are valid',
    file: 'src/credentials/validate.ts',
    from: 'accept && !accept.includes(kind)',
    to: 'false',
    test: bridge,
  },
  {
    rule: 'a session as a credential has only the scopes that its user has',
    file: 'src/credentials/validate.ts',
    from: 'scopes.length > 0 && !holdsScopes(ctx, cached.view.user, roles, scopes)',
    to: 'false',
    test: bridge,
  },
  {
    rule: 'a key of a module that is switched off is not found',
    file: 'src/credentials/create-credentials.ts',
    from: 'kind && isAvailable(kind) ?',
    to: 'kind ?',
    test: bridge,
  },
  {
    rule: 'keys that do not exist are limited by the address of the caller',
    file: 'src/http/credentials/unknown-keys.ts',
    from: "if (remaining === 0) throw new AppError('RATE_LIMITED', { retryAfter })",
    to: '',
    test: bridge,
  },
  {
    rule: 'a cached key ends with its user',
    file: 'src/credentials/credential-cache.ts',
    from: 'void memory.invalidate(owner, epoch)',
    to: 'undefined',
    test: bridge,
  },
  {
    rule: 'a key takes precedence over the cookie, even if it is rejected',
    file: 'src/http/access/guard.ts',
    from: 'keys.length > 0',
    to: 'false',
    test: ownApi,
  },
  {
    rule: 'an application demands scopes where the query is that of the visitor',
    file: 'src/sessions/gateway-query.ts',
    from: 'if (!gateway) return {}',
    to: 'if (gateway) return {}',
    test: gateway,
  },
  {
    rule: 'a session at a gateway has only the scopes that its user has',
    file: 'src/sessions/gateway-query.ts',
    from: 'required && !holdsScopes(ctx, user, roles, required)',
    to: 'false',
    test: gateway,
  },
]
