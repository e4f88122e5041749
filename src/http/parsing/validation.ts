import fastJson, { type Schema } from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { AppError, type FieldProblem } from '../../lib/errors.ts'
import { noQuery } from './form-body.ts'

export function compileValidator({ schema, httpPart }: { schema: TSchema; httpPart?: string }) {
  const compiled = once(() => Compile(schema))
  const readers = httpPart === 'body' ? [] : readersOf(schema)
  let acceptsNoQuery = false
  return (value: unknown) => {
    if (acceptsNoQuery && value === noQuery) return { value }
    const read = readers.length > 0 ? readMembers(value, readers) : value
    if (compiled().Check(read)) {
      acceptsNoQuery ||= read === noQuery
      return { value: read }
    }
    // An invalid identifier cannot match a resource.
    if (httpPart === 'params') return { error: new AppError('NOT_FOUND') }
    return {
      error: new AppError('VALIDATION_ERROR', {
        details: problemsOf(schema, compiled().Errors(read), httpPart ?? 'body'),
      }),
    }
  }
}

/** Serializes only the members in the schema so that no other column is exposed. */
export function compileSerializer({ schema }: { schema: unknown }): (value: unknown) => string {
  const serialize = once(() => fastJson(schema as Schema))
  return (value) => serialize()(value)
}

/** Compiles on first use to save memory because most routes are never called in a given process. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

type Reader = [name: string, read: (text: string) => unknown]

/** Text such as `1e3` or `0x10` is left unchanged so that the schema rejects it. */
const readText: Record<string, (text: string) => unknown> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

function readersOf(schema: TSchema): Reader[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  return Object.entries(properties).flatMap(([name, { type = '' }]): Reader[] => {
    const read = readText[type]
    return read ? [[name, read]] : []
  })
}

function readMembers(value: unknown, readers: Reader[]): unknown {
  if (value === noQuery) return value
  const members: Record<string, unknown> = { ...(value as object) }
  for (const [name, read] of readers) {
    const text = members[name]
    if (typeof text === 'string') members[name] = read(text)
  }
  return members
}

interface SchemaProblem {
  keyword: string
  schemaPath: string
  instancePath: string
  params: object
  message: string
}

function problemsOf(schema: TSchema, all: readonly SchemaProblem[], part: string): FieldProblem[] {
  const problems = all.filter((problem) => !isOfOtherBranch(problem, all))
  const found = problems.flatMap((problem) => {
    const params = problem.params as Record<string, unknown>
    const path = problem.instancePath.slice(1).replaceAll('/', '.')
    if (problem.keyword === 'boolean') return [{ field: path || part, message: unknownMember(schema, problem) }]
    if (problem.keyword !== 'required')
      return [{ field: path || part, message: sentence(problem.keyword, params, problem.message) }]
    const missing = params.requiredProperties as string[]
    return missing.map((name) => ({ field: path ? `${path}.${name}` : name, message: 'is required' }))
  })
  return joinChoices(found)
}

/** An object does not also have to be null, and an unknown member is reported once, by its own name. */
function isOfOtherBranch({ keyword, instancePath }: SchemaProblem, all: readonly SchemaProblem[]): boolean {
  if (!['type', 'anyOf', 'additionalProperties'].includes(keyword)) return false
  const isWithin = (path: string) => path === instancePath || path.startsWith(`${instancePath}/`)
  const isOfMember = (other: SchemaProblem) => other.keyword === 'required' || other.instancePath !== instancePath
  return all.some((other) => isWithin(other.instancePath) && isOfMember(other))
}

function unknownMember(schema: TSchema, { schemaPath }: SchemaProblem): string {
  const steps = schemaPath.split('/').slice(1, -1)
  const parent = steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], schema)
  const names = Object.keys((parent as { properties?: object } | undefined)?.properties ?? {})
  return names.length > 0 ? `is not known: allowed are ${names.join(', ')}` : 'is not allowed'
}

function joinChoices(problems: FieldProblem[]): FieldProblem[] {
  const byField = Map.groupBy(problems, ({ field }) => field)
  return [...byField].map(([field, all]) => {
    const choices = all
      .filter(({ message }) => message.startsWith('must be "'))
      .map(({ message }) => message.slice('must be '.length))
    return choices.length > 1
      ? { field, message: `must be one of ${choices.join(', ')}` }
      : { field, message: all[0]?.message ?? '' }
  })
}

function sentence(keyword: string, params: Record<string, unknown>, fallback: string): string {
  switch (keyword) {
    case 'type':
      return `must be ${article([params.type].flat().join(' or '))}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    default:
      return fallback
  }
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)
