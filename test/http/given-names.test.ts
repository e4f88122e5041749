import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { everyCredential } from './support.ts'

let app: TestApp
let headers: Record<string, string>
before(async () => {
  app = await startTestApp()
  headers = await everyCredential(app)
})
after(() => app.stop())

test('a value that a use case refuses is named in the spelling that was sent', async () => {
  const ada = await registered(app)
  const { id } = ada
  const refused: [string, string, Record<string, unknown>, string][] = [
    ['POST', '/auth/email-change/request', { email: 'nobody' }, 'email'],
    ['POST', '/auth/email-change/request', { newEmail: 'nobody' }, 'newEmail'],
    ['POST', '/auth/email-change/request', { new_email: null, email: 'nobody' }, 'email'],
    ['PUT', '/auth/profile', { userName: '?' }, 'userName'],
    ['PUT', '/auth/profile', { user_name: '?', userName: '?' }, 'user_name'],
    ['POST', '/auth/password-change/admin', { userId: id, newPassword: 'short' }, 'newPassword'],
    ['GET', '/auth/users?orderBy=id', {}, 'orderBy'],
  ]
  for (const [method, url, body, field] of refused) {
    const { json } = await app.call(method, url, { body, headers })
    assert.deepEqual([json.details?.map((one: { field: string }) => one.field), url], [[field], url])
  }
})
