import { resolve } from './schema.js'

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** All operations of an OpenAPI 3 document, in the order of the document. */
export function operationsOf(document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, entry]) =>
    methods.filter((method) => entry[method]).map((method) => operationOf(document, path, entry, method)),
  )
}

/** `[{ name, description, operations }]`, in the order of the document's tags. */
export function groupsOf(document, operations, otherName) {
  const described = new Map((document.tags ?? []).map((tag) => [tag.name, tag.description ?? '']))
  const names = new Set([...described.keys(), ...operations.map((operation) => operation.tag ?? otherName)])
  return [...names]
    .map((name) => ({
      name,
      description: described.get(name) ?? '',
      operations: operations.filter((operation) => (operation.tag ?? otherName) === name),
    }))
    .filter((group) => group.operations.length > 0)
}

/** Whether all words of the query occur in the text that the list shows for the operation. */
export function matches(operation, query) {
  const { method, path, summary, tag = '', secondAddresses = [] } = operation
  const shown = [method, path, summary, tag, ...secondAddresses].join(' ').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => shown.includes(word))
}

function operationOf(document, path, entry, method) {
  const source = entry[method]
  const parameters = [...(entry.parameters ?? []), ...(source.parameters ?? [])].map((one) => resolve(one, document))
  return {
    id: slug(`${method} ${path}`),
    method,
    path,
    tag: source.tags?.[0],
    summary: source.summary ?? '',
    description: source.description ?? '',
    deprecated: source.deprecated === true,
    access: source['x-access'],
    roles: source['x-roles'] ?? [],
    limit: source['x-rate-limit'],
    module: source['x-module'],
    secondAddresses: source['x-second-addresses'] ?? [],
    credentials: Object.keys((source.security ?? document.security)?.[0] ?? {}),
    parameters: parameters.filter(Boolean),
    body: requestBodyOf(resolve(source.requestBody, document)),
    replies: Object.entries(source.responses ?? {}).map(([status, reply]) => replyOf(status, resolve(reply, document))),
  }
}

const slug = (text) =>
  text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

function requestBodyOf(body) {
  const [type, content] = preferJson(body?.content)
  const { schema = {}, example } = content ?? {}
  return content && { type, schema, example, required: body.required === true }
}

function replyOf(status, reply) {
  const [type, content] = preferJson(reply?.content)
  const description = reply?.description ?? ''
  return { status, description, type, schema: content?.schema }
}

function preferJson(content = {}) {
  const entries = Object.entries(content)
  return entries.find(([type]) => type === 'application/json') ?? entries[0] ?? []
}
