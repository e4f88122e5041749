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

export interface Parameter {
  name: string
  in: string
  schema: { enum?: unknown[]; 'x-query-name'?: string }
  example?: unknown
}

/** Gives a parameter of a path its example, and one of the query the name that the API promises for it. */
export function describeParameter(parameter: Parameter): Parameter {
  const { 'x-query-name': name, ...schema } = parameter.schema
  if (name) return { ...parameter, name, schema }
  if (parameter.in !== 'path' || parameter.example !== undefined) return parameter
  const example = parameter.schema.enum?.[0] ?? pathExamples[parameter.name]
  return example === undefined ? parameter : { ...parameter, example }
}
