import type { IncomingMessage } from 'node:http'
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify'
import type { Context } from '../../context.ts'
import { anyone } from '../../http/access/access.ts'
import type { HttpServer, TypeBoxProvider } from '../../http/server/types.ts'
import { type PageVisit, visitOf } from './visit.ts'

/** Pages require no session, because the API authorizes the calls they make. */
export const readByAnyone = { access: anyone, limit: 'read', hidden: true } as const
export const postedByAnyone = { access: anyone, limit: 'write', hidden: true, form: true } as const

export interface PageDeclarations<Who> {
  get: Declare<Who>
  post: Declare<Who>
}

type Declare<Who> = <const Schema extends FastifySchema>(
  path: string,
  route: { schema: Schema; config: FastifyContextConfig },
  work: (who: Who, request: PageRequest<Schema>, reply: FastifyReply) => PageResponse,
) => void

type PageRequest<Schema extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  Schema,
  TypeBoxProvider
>

type PageResponse = FastifyReply | Promise<FastifyReply>

export const visitorPages = (ctx: Context, http: HttpServer): PageDeclarations<PageVisit> =>
  declarePages(http, (request, reply, work) => work(visitOf(ctx, http, request, reply)))

export function declarePages<Who>(
  http: HttpServer,
  meet: (request: FastifyRequest, reply: FastifyReply, work: (who: Who) => PageResponse) => PageResponse,
): PageDeclarations<Who> {
  const declare =
    (method: 'get' | 'post'): Declare<Who> =>
    (path, { schema, config }, work) => {
      const route: { schema: FastifySchema; config: FastifyContextConfig } = { schema, config }
      http[method](path, route, (request, reply) =>
        meet(request, reply, (who) => work(who, request as PageRequest<typeof schema>, reply)),
      )
    }
  return { get: declare('get'), post: declare('post') }
}
