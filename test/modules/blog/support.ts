import { type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'

const base = '/api/v1/posts'

/** Starts the application with the blog module. */
export const startBlog = (env: Record<string, string> = {}): Promise<TestApp> =>
  startTestApp({ modules: ['blog'], env: { BLOG_ENABLED: 'true', RATE_LIMIT_REGISTRATION: '1000/1m', ...env } })

export interface Author extends SignedIn {
  call(method: string, path: string, body?: unknown): Promise<Reply>
  /** Creates a post and returns its id. */
  write(members?: Record<string, unknown>): Promise<string>
  read(id: string): Promise<Reply>
}

/** A new user of this type, with functions that send requests to the blog as that user. */
export async function somebody(app: TestApp, role = 'writer'): Promise<Author> {
  const person = await signedInAs(app, role)
  const call: Author['call'] = (method, path, body) =>
    app.call(method, base + path, { ...withSession(person.sessionToken), ...(body !== undefined && { body }) })
  return {
    ...person,
    call,
    read: (id) => call('GET', `/id/${id}`),
    async write(members = {}) {
      const reply = await call('POST', '', { title: 'Notes', body: 'Some words.', ...members })
      if (reply.status !== 200) throw new Error(`the post was refused: ${reply.text}`)
      return reply.json.data.id
    },
  }
}

/** A new user of each of these types. */
export const everybody = <const Roles extends readonly string[]>(app: TestApp, ...roles: Roles) =>
  Promise.all(roles.map((role) => somebody(app, role))) as Promise<{ -readonly [Each in keyof Roles]: Author }>

/** Requests a post without a session. */
export const readAsStranger = (app: TestApp, name: string, headers: Record<string, string> = {}): Promise<Reply> =>
  app.get(`${base}/${name}`, { headers })
