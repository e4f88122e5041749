import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { programTemplates, withProgramTerms } from '../../../src/modules/oauth/cli/program-templates.ts'
import { printSample } from '../../../src/modules/oauth/samples/print-sample.ts'
import { fromTemplate, templateNames } from '../../../src/modules/oauth/samples/templates.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { clientsPath, machineSetup, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let applicationId: string
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, PUBLIC_URL: 'https://id.example.com' } })
  admin = await oauthAdmin(app)
  applicationId = (await admin.application()).id
})
after(() => app.stop())

for (const name of templateNames)
  test(`the template ${name} creates a client, and prints the settings of the application`, async () => {
    const body = { ...fromTemplate(name, 'app.example.com'), application_id: applicationId, client_id: `of-${name}` }
    const { status, json, text } = await admin.call('POST', clientsPath, body)
    assert.equal(status, 200, text)
    const { type, redirect_uris, post_logout_uris, allowed_origins, ...more } = json.data
    const { require_pkce, groups_claim, id_token_claims } = more
    const addresses = { redirect_uris, post_logout_uris, allowed_origins }
    const members = { type, ...addresses, require_pkce, groups_claim, id_token_claims }
    const printed = `${JSON.stringify(members, null, 2)}\n\n${await printSample(app.ctx, body.client_id, name)}`
    assert.ok(json.client_secret === undefined || !printed.includes(json.client_secret))
    // To accept changes, run this file with UPDATE_GOLDEN=true.
    const file = join(import.meta.dirname, 'golden', `${name}.txt`)
    if (process.env.UPDATE_GOLDEN) writeFileSync(file, printed)
    assert.equal(printed, readFileSync(file, 'utf8'))
  })

test('a program gets the APIs of its application, and a machine the scopes of its service account', async () => {
  const { application, account, api } = await machineSetup(admin)
  const terms = { type: 'machine' as const, application_id: application.id, service_account_id: account.id }
  const filled = { scopes: [application.read, application.write], resources: [api.id] }
  assert.deepEqual(await withProgramTerms(app.ctx, terms), { ...terms, ...filled })
  const given = { ...terms, scopes: [application.read], resources: [] }
  assert.deepEqual(await withProgramTerms(app.ctx, given), given)
  const server = { type: 'resource_server' as const, application_id: application.id }
  assert.deepEqual(await withProgramTerms(app.ctx, server), { ...server, resources: [api.id] })
  await assert.rejects(withProgramTerms(app.ctx, { ...server, application_id: applicationId }), /has no resources/)
  for (const { type, settings } of programTemplates.values()) {
    const { clientId } = await admin.client(await withProgramTerms(app.ctx, type === 'machine' ? terms : server))
    assert.ok((await printSample(app.ctx, clientId, settings)).includes(api.identifier))
  }
})

test('a template needs a host, which is encrypted unless it is this computer', () => {
  assert.deepEqual(fromTemplate('authjs', 'localhost:3000').redirect_uris, [
    'http://localhost:3000/api/auth/callback/wardenry',
  ])
  assert.deepEqual(fromTemplate('spa', 'app.example.com:8443').allowed_origins, ['https://app.example.com:8443'])
  for (const host of [
    '',
    'https://app.example.com',
    'app.example.com/',
    'a@b.example',
    'App.example.com',
    'a.example:443',
    '127.1',
  ])
    assert.throws(() => fromTemplate('grafana', host), /--host must be/, host)
})
