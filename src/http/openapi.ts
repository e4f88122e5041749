import swagger from '@fastify/swagger'
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
  const { access, limit, hidden, upload } = config
  if (!access || hidden) return { hide: true }
  const needed = {
    ...(access.bridge === 'required' && { bridge: [] }),
    ...(access.session === 'any' || access.session === 'full' ? { session: [] } : {}),
  }
  return {
    ...schema,
    ...(upload && { consumes: ['multipart/form-data'], body: fileBody(upload) }),
    ...(Object.keys(needed).length > 0 && {
      security: access.unlessToken || access.onlyToLink ? [needed, {}] : [needed],
    }),
    'x-access': access.description,
    'x-rate-limit': limit,
    response: { ...(schema.response as object), '4xx': ErrorBody, '5xx': ErrorBody },
  }
}

const fileBody = (part: string) => ({
  type: 'object',
  required: [part],
  properties: { [part]: { type: 'string', format: 'binary' } },
})
