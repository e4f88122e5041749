import { resolve } from './schema.js'

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Returns all operations in an OpenAPI 3 document, in document order. */
export function operationsOf(document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, entry]) =>
    methods.filter((method) => entry[method]).map((method) => operationOf(document, path, entry, method)),
  )
}

/** Returns `[{ name, description, operations }]`, in the document's tag order. */
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

/** Whether all words of the query occur in the operation's text, including its collapsed parts. */
export function matches({ words }, query) {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}

/** Returns the searchable text in lower case. */
function wordsOf(operation, document) {
  const {
    method,
    path,
    summary,
    description,
    tag = '',
    roles,
    module = '',
    secondAddresses,
    parameters,
    body,
  } = operation
  const names = [...parameters.map(({ name }) => name), ...memberNames(body?.schema, document)]
  return [method, path, ...secondAddresses, summary, description, tag, module, ...roles, ...names]
    .join(' ')
    .toLowerCase()
}

/** Returns the names of all members of a schema and its nested schemas. */
function memberNames(schema, document, trail = []) {
  const target = resolve(schema, document)
  if (!target || trail.includes(target)) return []
  const inside = (part) => memberNames(part, document, [...trail, target])
  const parts = [...Object.values(target.properties ?? {}), ...(target.anyOf ?? target.oneOf ?? []), target.items]
  return [...Object.keys(target.properties ?? {}), ...parts.flatMap(inside)]
}

function operationOf(document, path, entry, method) {
  const source = entry[method]
  const parameters = [...(entry.parameters ?? []), ...(source.parameters ?? [])].map((one) => resolve(one, document))
  const operation = {
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
  return { ...operation, words: wordsOf(operation, document) }
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
