import { randomBytes } from 'node:crypto'
import { type Behaviour, respond } from '../webhooks/receiver.ts'

export const hookSecret = `whsec_${randomBytes(32).toString('base64')}`

export const json = (body: unknown): Behaviour =>
  respond(200, JSON.stringify(body), { 'content-type': 'application/json' })

/** Behaviours of a hook that are no valid response, whatever `answer` says. */
export const invalidResponses = (answer: object): Record<string, Behaviour> => ({
  'does not respond': () => {},
  'closes the connection': (reply) => reply.destroy(),
  'responds with 500': respond(500, JSON.stringify(answer)),
  'responds with 404': respond(404, JSON.stringify(answer)),
  redirects: respond(302, '', { location: '/elsewhere' }),
  'sends no JSON': respond(200, 'true'),
  'sends a page': respond(200, '<h1>Sign in</h1>'),
  'sends no boolean': json(Object.fromEntries(Object.keys(answer).map((name) => [name, 'yes']))),
  'sends null': respond(200, 'null'),
  'sends too much': json({ ...answer, padding: 'x'.repeat(20_000) }),
})
