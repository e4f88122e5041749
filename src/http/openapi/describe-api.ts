import swagger from '@fastify/swagger'
import type { ModuleColumn, ModuleState, StaffRoles } from '../../context.ts'
import { version } from '../../lib/version.ts'
import { formType } from '../parsing/form-body.ts'
import { ErrorBody } from '../responses/schemas.ts'
import { routesOf } from '../server/create-server.ts'
import type { HttpServer } from '../server/types.ts'
import { describeOperation, type RawOperation } from './describe-operation.ts'
import { headers } from './headers.ts'
import { withModuleMembers } from './module-members.ts'
import { withNamedSchemas } from './named-schemas.ts'
import { pathInBraces, withFirstAddresses } from './operations.ts'
import { errorResponses } from './responses.ts'
import { securitySchemes } from './security.ts'
import { describeTags } from './tags.ts'

/** Collects the routes, so this must be called before the routes are registered. */
export async function addApiDescription(http: HttpServer, name: string, publicUrl: string): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${name} API`,
        version,
        description:
          'Authentication and user management. Unknown paths return 404 `NOT_FOUND`. Other methods of a known path ' +
          'return 405 `METHOD_NOT_ALLOWED`, and `Allow` lists its methods.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: { securitySchemes, headers },
    },
    transform: ({ schema, url, route: { config } }) => ({
      url,
      schema: {
        ...schema,
        hide: !config?.access || config.hidden === true,
        ...(config?.form === 'only' && { consumes: [formType] }),
      },
    }),
  })
}

interface RawDocument {
  components: object
  paths: Record<string, Record<string, RawOperation>>
}

export function apiDescription(
  http: HttpServer,
  { modules, staff }: { modules: Pick<ModuleState, 'userColumns' | 'userFilters'>; staff: StaffRoles },
  webhooks: Record<string, object>,
): () => unknown {
  let columns: readonly ModuleColumn[] | undefined
  let document: unknown
  return () => {
    if (columns !== modules.userColumns()) {
      columns = modules.userColumns()
      const described = withNamedSchemas(withModuleMembers(describeRoutes(http, staff), columns, modules.userFilters()))
      document = { ...described, webhooks }
    }
    return document
  }
}

function describeRoutes(http: HttpServer, staff: StaffRoles) {
  const collected = http.swagger() as unknown as RawDocument
  const operations = withFirstAddresses(routesOf(http))
  const paths: Record<string, Record<string, unknown>> = {}
  const tags = new Set<string>()
  for (const operation of operations) {
    const path = pathInBraces(operation.route.url)
    const method = operation.route.method.toLowerCase()
    const raw = collected.paths[path]?.[method]
    if (!raw) continue
    paths[path] = { ...paths[path], [method]: describeOperation(raw, operation, staff) }
    for (const tag of raw.tags ?? []) tags.add(tag)
  }
  const responses = errorResponses(operations.map(({ route }) => route))
  const components = { ...collected.components, responses, schemas: { Error: ErrorBody } }
  return { ...collected, tags: describeTags(tags), paths, components }
}
