import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { RouteSeries } from '../../adapters/metrics/port.ts'
import type { LimitState } from '../../lib/errors.ts'
import type { RequestAuth } from '../access/auth.ts'
import type { NamedEndUser } from '../access/end-user.ts'
import type { KnownBridgeSecret } from '../access/known-secret.ts'
import type { RequestKey } from '../credentials/authenticate-key.ts'
import type { HttpEdge } from './edge.ts'
import type { ShutdownState } from './server-response.ts'

export interface RespelledRequest {
  spellings?: Map<string, string>
  /** The first member or parameter that the route does not know. It was dropped. */
  unknownMember?: string
}

export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>

export type DeclareRoutes = (http: HttpServer) => void

declare module 'fastify' {
  interface FastifyInstance {
    headerList: HttpEdge['headerList']
    limits: HttpEdge['limits']
    shutdown: ShutdownState
  }
  interface FastifyRequest {
    auth: RequestAuth
    clientAddress: string
    endUser: NamedEndUser | undefined
    /** Set instead of `auth` on routes that declare a scope. */
    key: RequestKey | undefined
    /** The secret in X-Bridge-Secret, after the guard has accepted it. */
    bridgeSecret: KnownBridgeSecret | undefined
  }
}

declare module 'node:http' {
  interface IncomingMessage extends RespelledRequest {
    series?: RouteSeries
    counted?: LimitState
  }
}
