import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newOpaqueToken } from '../../../src/modules/oauth/token/token-text.ts'
import { oauthAdmin, oauthEnv, oauthModules, tokenOf } from '../../modules/oauth/support.ts'
import { declaringApplication } from '../../roles/support.ts'
import { type Example, startExample, startService } from '../../support/examples.ts'
import { freePort } from '../../support/free-port.ts'
import { languageExamples } from '../../support/languages.ts'
import { registered } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'

const { fastapi } = languageExamples()
const examples = {
  express: { command: 'node api.js', skip: false as string | false },
  fastapi: { ...fastapi, command: fastapi.command.replace('main:app', 'api:app') },
}

/** The default of the examples. */
const identifier = 'https://api.example.com'

describe('the examples of an API', () => {
  let service: { app: TestApp; home: string }
  const started: Record<string, Example> = {}
  /** The texts to send in `Authorization`, with the expected response. */
  let sent: [name: string, authorization: string, status: number, challenge: string | null][]

  before(async () => {
    const runnable = Object.entries(examples).filter(([, { skip }]) => !skip)
    const ports = await Promise.all(runnable.map(() => freePort()))
    service = await startService(ports, { modules: oauthModules, env: oauthEnv })
    const { app } = service
    for (const [index, [name, { command }]] of runnable.entries())
      started[name] = await startExample(name, { port: ports[index] as number, service: service.home, command })
    const admin = await oauthAdmin(app)
    const [read, write] = ['invoices:read', 'invoices:write'] as const
    const { id } = await declaringApplication(app, 'billing', { permissions: [read, write] })
    const api = await admin.resource(id, { identifier })
    const other = await admin.resource(id)
    const account = await admin.account([read, write])
    const resources = [api.id, other.id]
    const terms = { application_id: id, resources, service_account_id: account.id, scopes: [read, write] }
    const machine = await admin.client({ ...terms, type: 'machine', client_id: 'worker' })
    const tokenFor = (resource: string, scope: string) => tokenOf(app, machine, { resource, scope })
    const { sessionToken } = await registered(app)
    const invalid = 'Bearer error="invalid_token"'
    sent = [
      ['a token', `Bearer ${await tokenFor(identifier, read)}`, 200, null],
      ['a token without the scope', `Bearer ${await tokenFor(identifier, write)}`, 403, 'insufficient_scope'],
      ['a token for another API', `Bearer ${await tokenFor(other.identifier, read)}`, 401, invalid],
      ['an unknown token', `Bearer ${newOpaqueToken()}`, 401, invalid],
      ['nothing', '', 401, 'Bearer'],
      ['another scheme', 'Basic d29ya2VyOg==', 401, 'Bearer'],
      ['a session', `Bearer ${sessionToken}`, 401, 'Bearer'],
    ]
  })
  after(async () => {
    await Promise.all(Object.values(started).map((example) => example.stop()))
    await service?.app.stop()
  })

  for (const [name, { skip }] of Object.entries(examples))
    test(`${name}: only tokens for this API with the scope are accepted`, { skip }, async () => {
      for (const [what, authorization, status, challenge] of sent) {
        const headers = authorization ? { authorization } : {}
        const reply = await fetch(`${started[name]?.url}/invoices`, { headers })
        assert.equal(reply.status, status, what)
        assert.ok(String(reply.headers.get('www-authenticate')).includes(String(challenge)), what)
        if (status === 200) assert.deepEqual(await reply.json(), { invoices: [], client: 'worker' })
      }
    })
})
