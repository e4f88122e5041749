import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'gateways refuse an impersonated session',
    file: 'src/sessions/gateway-routes.ts',
    from: 'if (cached.isImpersonated) forbid(',
    to: 'if (false) forbid(',
    test: 'test/admin/impersonation.test.ts',
  },
  {
    rule: 'visitors without a session do not use up the budget of a gateway',
    file: 'src/sessions/gateway-routes.ts',
    from: 'isFree: (request) => tokenOf(request) === undefined,',
    to: 'isFree: () => false,',
    test: 'test/http/gateway-budget.test.ts',
  },
  {
    rule: 'what a gateway asks about a session is counted',
    file: 'src/sessions/gateway-routes.ts',
    from: 'isFree: (request) => tokenOf(request) === undefined,',
    to: 'isFree: () => true,',
    test: 'test/http/gateway-budget.test.ts',
  },
  {
    rule: 'OPTIONS lets nobody through a gateway',
    file: 'src/sessions/gateway-routes.ts',
    from: 'http.options(verifyPath,',
    to: 'http.options(`${verifyPath}/options`,',
    test: 'test/http/gateway.test.ts',
  },
  {
    rule: 'a gateway takes a partial session for none',
    file: 'src/sessions/gateway-routes.ts',
    from: "if (found.cached.view.session.status === 'pending') reject",
    to: "if (found.cached.view.session.status === 'expired') reject",
    test: 'test/http/gateway.test.ts',
  },
  {
    rule: 'a gateway takes the session of another application for none',
    file: 'src/sessions/gateway-routes.ts',
    from: 'else if (!isAcceptedHere(cached, query, request)) reject',
    to: 'else if (!cached) reject',
    test: 'test/http/gateway.test.ts',
  },
  {
    rule: 'a visitor names no application to a gateway',
    file: 'src/sessions/gateway-routes.ts',
    from: 'verify(demandsOf(request.bridgeSecret?.application ?? {}), request, reply)',
    to: 'verify(request.query as GatewayQuery, request, reply)',
    test: 'test/http/gateway.test.ts',
  },
  {
    rule: 'the address that a visitor asked for names no session to a gateway',
    file: 'src/sessions/gateway-routes.ts',
    from: 'const value = sessionHeader(request) ??',
    to: 'const value = sessionHeader(request) ?? (request.query as { session_id?: string }).session_id ??',
    test: 'test/http/gateway.test.ts',
  },
  {
    rule: 'a value that a user chose is encoded whole in the headers for gateways',
    file: 'src/sessions/gateway-headers.ts',
    from: 'encodeURIComponent(text.toWellFormed())',
    to: 'encodeURI(text.toWellFormed())',
    test: 'test/http/gateway.test.ts',
  },
]
