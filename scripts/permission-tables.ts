import { builtInRoles, corePermissions, sensitivePermissions } from '../src/config/staff-permissions.ts'
import { shippedModules } from '../src/modules/index.ts'

interface ApiDocument {
  paths: Record<string, Record<string, { 'x-scope'?: string; 'x-permission'?: string }>>
}

/** Replaces the generated tables of docs/permissions-reference.md. `document` is the content of openapi.json. */
export const withPermissionTables = (page: string, document: ApiDocument): string =>
  withTable(withTable(page, 'permissions', permissionTable(document)), 'scopes', scopeTable(document))

function withTable(page: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the table of ${name}`)
  return `${before}${start}\n\n${table}\n\n${end}${after}`
}

function permissionTable(document: ApiDocument): string {
  const declared = Object.assign({}, corePermissions, ...shippedModules.map(({ permissions }) => permissions))
  const routes = routesBy(document, 'x-permission')
  const rows = Object.entries<string>(declared)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([permission, first]) => {
      const rank = ([...builtInRoles] as string[]).indexOf(first)
      const roles = builtInRoles.slice(rank).join(', ')
      const sensitive = sensitivePermissions.includes(permission) ? 'yes' : ''
      return `| \`${permission}\` | ${roles} | ${sensitive} | ${(routes.get(permission) ?? []).join('<br>')} |`
    })
  return ['| Permission | Built-in roles | Sensitive | Routes |', '|---|---|---|---|', ...rows].join('\n')
}

function scopeTable(document: ApiDocument): string {
  const rows = [...routesBy(document, 'x-scope')]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([scope, routes]) => `| ${scope === 'any' ? 'any key' : `\`${scope}\``} | ${routes.join('<br>')} |`)
  return ['| Scope | Routes |', '|---|---|', ...rows].join('\n')
}

function routesBy({ paths }: ApiDocument, member: 'x-scope' | 'x-permission'): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = operation[member]
      if (name) found.set(name, [...(found.get(name) ?? []), `\`${method.toUpperCase()} ${path}\``])
    }
  }
  return found
}
