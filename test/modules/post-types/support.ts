import { signedInAs, withSession } from '../../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'

export const base = '/api/v1/post-types'

/** Starts the application with the blog and post-types modules. */
export const startTypes = (env: Record<string, string> = {}): Promise<TestApp> =>
  startTestApp({
    modules: ['blog', 'post-types'],
    env: {
      BLOG_ENABLED: 'true',
      POST_TYPES_ENABLED: 'true',
      RATE_LIMIT_REGISTRATION: '1000/1m',
      RATE_LIMIT_ADMIN: '10000/1m',
      ...env,
    },
  })

export interface Editor {
  call(method: string, path: string, body?: unknown): Promise<Reply>
  /** Creates a type and returns its definition. */
  define(typeKey: string, members?: Record<string, unknown>): Promise<Record<string, unknown>>
}

/** An administrator, with functions that manage post types. */
export async function administrator(app: TestApp): Promise<Editor> {
  const { sessionToken } = await signedInAs(app, 'admin')
  const call: Editor['call'] = (method, path, body) =>
    app.call(method, base + path, { ...withSession(sessionToken), ...(body !== undefined && { body }) })
  return {
    call,
    async define(type_key, members = {}) {
      const reply = await call('POST', '', { type_key, type_name: type_key, ...members })
      if (reply.status !== 200) throw new Error(`the type was refused: ${reply.text}`)
      return reply.json.data
    },
  }
}

/** A minimal field with a name and a type. */
export const field = (type: string, more: Record<string, unknown> = {}) => ({
  name: `a_${type}`,
  label: type,
  type,
  ...(type.endsWith('select') && { options: ['one', 'two'] }),
  ...more,
})
