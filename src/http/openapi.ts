import swagger from '@fastify/swagger'
import type { ModuleColumn, ModuleState } from '../context.ts'
import type { Http } from './create-server.ts'
import type { RouteConfig } from './route-rules.ts'
import { ErrorBody } from './schemas.ts'

interface Described {
  schema?: Record<string, unknown>
  config?: Partial<RouteConfig>
}

/** OpenAPI 3.1 from the registered routes: there is no second description of the API. Register it before them. */
export async function addApiDescription(http: Http, name: string, publicUrl: string): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${name} API`, version: '1', description: 'Authentication and user management.' },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Session-ID',
            description: 'or the cookie, or the query parameter session_id',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'the same value as in X-Session-ID',
          },
          bridge: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Bridge-Secret',
            description: 'the shared secret of a back end',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ url, schema: withRule({ schema, config: route.config } as Described) }),
  })
}

function withRule({ schema = {}, config = {} }: Described): Record<string, unknown> {
  const { access, limit, hidden, upload, module } = config
  if (!access || hidden) return { hide: true }
  const needed = {
    ...(access.bridge === 'required' && { bridge: [] }),
    ...(access.session === 'any' || access.session === 'full' ? { session: [] } : {}),
  }
  return {
    ...schema,
    ...(schema.params !== undefined && { params: withPathExamples(schema.params as PathMembers) }),
    ...(upload && { consumes: ['multipart/form-data'], body: fileBody(upload) }),
    ...(Object.keys(needed).length > 0 && {
      security: access.unlessToken || access.onlyToLink ? [needed, {}] : [needed],
    }),
    'x-access': access.description,
    ...(access.roles && { 'x-roles': access.roles }),
    'x-rate-limit': limit,
    ...(module && { 'x-module': typeof module === 'string' ? module : `${module.id}/${module.component}` }),
    response: { ...(schema.response as object), '4xx': ErrorBody, '5xx': ErrorBody },
  }
}

interface PathMembers {
  properties: Record<string, { examples?: unknown[]; enum?: unknown[] }>
}

const anId = '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'

/** One of each name that stands in paths, so that every call of the description can be tried as it is shown. */
const pathExamples: Record<string, string> = {
  id: anId,
  user_id: anId,
  revision_id: anId,
  comment_id: anId,
  file: '7fJx2kQmZt9w.webp',
  key: 'recipe',
  lang: 'es',
  provider: 'google',
  slug: 'notes-on-the-engine',
  token: 'rst_6mB0dO2uYk3x',
}

function withPathExamples(params: PathMembers): PathMembers {
  const shown = Object.entries(params.properties).map(([name, member]) => {
    const example = member.examples?.[0] ?? member.enum?.[0] ?? pathExamples[name]
    return [name, example === undefined ? member : { ...member, examples: [example] }]
  })
  return { ...params, properties: Object.fromEntries(shown) }
}

const fileBody = (part: string) => ({
  type: 'object',
  required: [part],
  properties: { [part]: { type: 'string', format: 'binary' } },
})

/** The document of the moment: what modules add to users is in it as long as the columns exist. */
export function apiDescription(http: Http, modules: ModuleState): () => unknown {
  let columns: readonly ModuleColumn[] | undefined
  let document: unknown
  return () => {
    if (columns !== modules.userColumns()) {
      columns = modules.userColumns()
      document = complete(http.swagger(), columns)
    }
    return document
  }
}

interface Node {
  schema?: Record<string, unknown>
  name?: unknown
  properties?: Record<string, unknown>
  'x-module-columns'?: true
}

function complete(value: unknown, columns: readonly ModuleColumn[]): unknown {
  if (Array.isArray(value)) return value.filter((item) => isThere(item, columns)).map((item) => complete(item, columns))
  if (typeof value !== 'object' || value === null) return value
  const { 'x-module-columns': takesColumns, ...node } = value as Node
  const members = Object.fromEntries(Object.entries(node).map(([name, member]) => [name, complete(member, columns)]))
  if (!takesColumns) return members
  const added = Object.fromEntries(columns.map(({ name, schema }) => [name, schema]))
  return { ...members, properties: { ...(members.properties as object), ...added } }
}

function isThere(item: Node | null, columns: readonly ModuleColumn[]): boolean {
  if (item?.schema?.['x-module-column'] !== true) return true
  return columns.some(({ name, filterable }) => filterable && name === item.name)
}
