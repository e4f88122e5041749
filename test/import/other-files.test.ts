import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planImport } from '../../src/import/import-users.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { sourceNamed } from './read-fixture.ts'
import { fileWith, importOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const phpMyAdmin = JSON.stringify([
  { type: 'header', version: '5.2.1' },
  { type: 'database', name: 'wp' },
  { type: 'table', name: 'wp_users', database: 'wp', data: [{ ID: '1', user_email: 'ada@example.com' }] },
])
const realms = JSON.stringify([
  { realm: 'master', users: [] },
  { realm: 'shop', users: [] },
])

const files: Record<string, [source: string, name: string, content: string, sentence: RegExp]> = {
  'all realms of Keycloak': ['keycloak', 'all.json', realms, /realms \(master, shop\): export one realm/],
  'JSON of phpMyAdmin': ['wordpress', 'users.json', phpMyAdmin, /a JSON export of phpMyAdmin\. Pass only the list/],
  'CSV of Firebase': [
    'firebase',
    'users.csv',
    'u1,ada@example.com,true,,',
    /is a CSV file\. Export the users of Firebase/,
  ],
  'CSV with another name': ['firebase', 'users.txt', 'u1,ada@example.com,true,,', /is a CSV file/],
  'CSV of Cognito': [
    'cognito',
    'users.csv',
    'cognito:username,name,email\nada,Ada,ada@example.com',
    /is a CSV file\. Export the users of Amazon Cognito as JSON instead, for example with "aws cognito-idp list-users/,
  ],
  'two exports in one file': ['cognito', 'users.json', '{"Users":[]}\n{"Users":[]}', /contains several JSON documents/],
  SQL: ['wordpress', 'dump.json', '-- MySQL dump\nINSERT INTO', /is an SQL file/],
  XML: ['wordpress', 'site.json', '<?xml version="1.0"?>', /is an XML or HTML file/],
  'half a file': ['firebase', 'users.json', '{"users":[{', /is not a complete JSON document/],
}

for (const [what, [source, name, content, sentence]] of Object.entries(files)) {
  test(`${what}: the error says what the file is`, async (t) => {
    const path = await fileWith(t, content, name)
    await assert.rejects(planImport(app.ctx, importOf(path, { source: sourceNamed(source) })), sentence)
  })
}
