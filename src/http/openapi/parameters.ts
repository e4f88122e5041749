const anId = '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'

/** Examples for all path parameters so that every call in the reference works. */
const pathExamples: Record<string, string> = {
  id: anId,
  user_id: anId,
  session_id: anId,
  passkey_id: anId,
  message_id: anId,
  method_id: anId,
  application_id: anId,
  application: 'billing',
  secret_id: anId,
  webhook_id: anId,
  role_id: anId,
  key_id: anId,
  service_account_id: anId,
  delivery_id: anId,
  revision_id: anId,
  comment_id: anId,
  file: '7fJx2kQmZt9w.webp',
  key: 'recipe',
  lang: 'es',
  provider: 'google',
  slug: 'notes-on-the-engine',
  token: 'rst_6mB0dO2uYk3x',
}

export interface ApiParameter {
  name: string
  in: string
  schema: { enum?: unknown[]; deprecated?: boolean }
  deprecated?: boolean
  example?: unknown
}

export function describeParameter(parameter: ApiParameter): ApiParameter {
  const { deprecated, ...schema } = parameter.schema
  if (deprecated) return { ...parameter, deprecated, schema }
  if (parameter.in !== 'path' || parameter.example !== undefined) return parameter
  const example = parameter.schema.enum?.[0] ?? pathExamples[parameter.name]
  return example === undefined ? parameter : { ...parameter, example }
}
