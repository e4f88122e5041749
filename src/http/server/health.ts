import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { AppError } from '../../lib/errors.ts'
import { second } from '../../lib/time.ts'
import { version } from '../../lib/version.ts'
import { anyone } from '../access/access.ts'
import { describe, success } from '../responses/schemas.ts'
import { errorBody } from './error-handler.ts'
import type { DeclareRoutes } from './types.ts'

type State = 'ok' | 'degraded'

export interface HealthChecks {
  isDatabaseUp(): Promise<boolean>
  isAcceptingWork(): boolean
  store(): Promise<State>
  queue(): State
}

const Status = Type.Literal('ok')
const Check = Type.Union([Type.Literal('ok'), Type.Literal('degraded')])
const tag = 'Health'

const HealthRoute = describe(
  {
    operationId: 'getHealth',
    summary: 'Check whether the service works',
    description: 'Returns 503 if the database cannot serve sign-ins. The result can be a few seconds old.',
    tag,
  },
  {},
  success({ status: Status }),
)
const LiveRoute = describe(
  {
    operationId: 'getLiveness',
    summary: 'Check whether the process responds, without checking its dependencies',
    description: 'For supervisors that restart a process that does not respond. Does not use the database.',
    tag,
  },
  {},
  success({ status: Status }),
)
const ReadyRoute = describe(
  {
    operationId: 'getReadiness',
    summary: 'Check whether the service is ready for requests',
    description:
      'For load balancers. Returns 503 while the process is shutting down or if the database cannot be reached. ' +
      'Other failures are reported as `degraded`.',
    tag,
  },
  {},
  success({
    status: Status,
    version: Type.String({ examples: [version] }),
    checks: Type.Object({ database: Check, migrations: Check, store: Check, queue: Check }),
  }),
)

/**
 * Besides the state, readiness responses contain only the version, which lets operators follow a rolling upgrade. In
 * each process, health checks query the database at most once per second.
 */
export const healthRoutes =
  (checks: HealthChecks): DeclareRoutes =>
  (http) => {
    const config = { access: anyone, limit: 'read', ignoresApplications: true } as const
    const databaseIsUp = rememberFor(second, checks.isDatabaseUp)
    const ok = { success: true, status: 'ok' } as const

    http.get('/health/live', { schema: LiveRoute, config }, async () => ok)

    http.get('/health', { schema: HealthRoute, config }, async (request, reply) => {
      if (await databaseIsUp()) return ok
      return unavailable(request, reply, {})
    })

    http.get('/health/ready', { schema: ReadyRoute, config }, async (request, reply) => {
      const database = (await databaseIsUp()) ? 'ok' : 'degraded'
      // Always `ok` because the service does not start with pending migrations.
      const migrations = 'ok'
      const state = { database, migrations, store: await checks.store(), queue: checks.queue() } as const
      if (database === 'ok' && checks.isAcceptingWork()) return { ...ok, version, checks: state }
      return unavailable(request, reply, { version, checks: state })
    })
  }

const unavailable = (request: FastifyRequest, reply: FastifyReply, more: object) =>
  reply
    .code(503)
    .send({ ...errorBody(new AppError('UNAVAILABLE'), request.id), status: 'unavailable', ...more }) as never

function rememberFor<Value>(lifetime: number, ask: () => Promise<Value>): () => Promise<Value> {
  let response: { value: Promise<Value>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (!response || now >= response.until) response = { value: ask(), until: now + lifetime }
    return response.value
  }
}
