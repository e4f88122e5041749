import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { person, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { TOKEN_LOGIN_AUTO_REGISTER: 'true', RATE_LIMIT_LOGIN: '100/1m' } })
})
after(() => app.stop())

const speaking = (language: string) => ({ headers: { 'accept-language': language } })
const langOf = async (sessionToken: string) =>
  (await app.get('/auth/profile', withSession(sessionToken))).json.data.lang

test('the language of a registration is kept, if there are mails in it', async () => {
  const kept: [header: string, lang: string | undefined, expected: string | null][] = [
    ['es-MX,es;q=0.9,en;q=0.8', undefined, 'es-MX'],
    ['fr-FR,es;q=0.5', undefined, 'es'],
    ['fr-FR', undefined, null],
    ['ES', undefined, 'es'],
    ['es-u-ca-buddhist', undefined, 'es'],
    ['es-?', undefined, null],
    ['es', 'en-GB', 'en-GB'],
    ['es', 'fr', 'fr'],
    ['', undefined, null],
    ['x'.repeat(600), undefined, null],
  ]
  for (const [header, lang, expected] of kept) {
    const { json } = await app.post('/auth/register/public', { ...person(), lang }, speaking(header))
    assert.equal(await langOf(json.sessionId), expected, header)
  }
})

test('a later mail is written in it', async () => {
  const ada = person()
  await app.post('/auth/register/public', ada, speaking('es-MX'))
  await app.mailTo(ada.email)
  await app.post('/auth/password-reset/request', { email: ada.email }, speaking('en'))
  assert.match((await app.mailTo(ada.email, 1)).text, /contraseña/)
})

test('a newcomer by a login link, and the first administrator, keep theirs', async () => {
  const { email, password } = person('grace')
  await app.post('/auth/token/login', { identifier: email })
  const token = /token=([\w-]{43})/.exec((await app.mailTo(email)).text)?.[1]
  const newcomer = await app.post('/auth/token/login', { token }, speaking('es'))
  assert.equal(await langOf(newcomer.json.sessionId), 'es')

  const link = await createSetupLink(app.ctx)
  const setup = new URL(link ?? '').searchParams.get('token')
  const admin = { token: setup, email: person('alan').email, password }
  const { json } = await app.post('/auth/setup', admin, speaking('es'))
  assert.equal(await langOf(json.sessionId), 'es')
})
