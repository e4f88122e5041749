import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient, startHandover } from '../../packages/client/src/index.ts'

// The options of the other packages: test/packages/server/rules.test.ts, test/packages/react/server.test.ts.

const source = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../packages/${name}/src/check-options.ts`), 'utf8')

test('all packages check options with the same code', () => {
  // The packages do not depend on each other, so each has a copy.
  for (const name of ['client', 'react']) assert.equal(source(name), source('server'))
})

const url = 'https://id.example.com'
const store = { get: () => null, set: () => {}, remove: () => {} }
const partial = { success: false, requires_2fa: true, sessionId: 'ses_x', available_methods: [] }

async function secondFactor() {
  const client = createClient({ url, session: store, fetch: async () => Response.json(partial) })
  const result = await client.signIn({ email: 'ada@example.com', password: 'secret' })
  assert.ok(result.status === 'second_factor_required')
  return result
}

const neverAsked = () => assert.fail('the service was asked')

const { set: _, ...withoutSet } = store
type Mistake = [what: string, pass: () => unknown, problem: RegExp]
const mistakes: Mistake[] = [
  ['createClient', () => createClient(undefined as never), /must be an object/],
  [
    'createClient',
    () => createClient({ url, sessions: store } as never),
    /unknown member sessions; did you mean session\?/,
  ],
  ['createClient', () => createClient({ url, session: 'none' } as never), /session must be 'cookie' or an object with/],
  ['createClient', () => createClient({ url, session: withoutSet } as never), /functions get, set, remove/],
  ['createClient', () => createClient({ url: new URL(url) } as never), /url must be a string/],
  ['signInUrl', () => createClient({ url }).signInUrl({ max_age: 60 } as never), /did you mean maxAge\?/],
  ['signInUrl', () => createClient({ url }).signInUrl({ maxAge: '60' } as never), /maxAge must be a whole number/],
  [
    'signInUrl',
    () => createClient({ url }).signInUrl({ prompt: 'LOGIN' } as never),
    /prompt must be 'login' or 'none'/,
  ],
  [
    'signInUrl',
    () => startHandover(createClient({ url }), { returnTo: 'shop:', maxage: 60 } as never),
    /mean maxAge\?/,
  ],
  ['signIn', () => createClient({ url }).signIn({ mail: 'a@b.c', password: 'x' } as never), /did you mean email\?/],
  ['signIn', () => createClient({ url }).signIn({ email: 5, password: 'x' } as never), /email must be a string/],
  ...[
    {},
    { email: 'a@b.c' },
    { email: 'a@b.c', password: undefined },
    { password: 'x' },
    { tokenId: 'id' },
    { code: '123456' },
    { token: 't', email: 'a@b.c' },
  ].map(
    (given): Mistake => [
      'signIn',
      () => createClient({ url, session: store, fetch: neverAsked }).signIn(given as never),
      /pass password with email or userName/,
    ],
  ),
  ['signInWithPasskey', () => createClient({ url }).signInWithPasskey({ device: 'x' } as never), /mean deviceId\?/],
  ['autofillPasskey', () => createClient({ url }).autofillPasskey(undefined as never), /must be an object/],
  ['autofillPasskey', () => createClient({ url }).autofillPasskey({} as never), /onSignIn must be a function/],
  ['autofillPasskey', () => createClient({ url }).autofillPasskey({ onsignin: () => {} } as never), /mean onSignIn\?/],
  ['registerWithPasskey', () => createClient({ url }).registerWithPasskey({ mail: 'a@b.c' } as never), /mean email\?/],
  ['addPasskey', () => createClient({ url }).addPasskey({ currentPassword: 5 } as never), /must be a string/],
  ['verify', async () => (await secondFactor()).verify({ kode: '1' } as never), /did you mean code\?/],
  [
    'verify',
    async () => (await secondFactor()).verify({ code: '1', rememberDevice: 'false' } as never),
    /true or false/,
  ],
]

for (const [what, pass, problem] of mistakes) {
  test(`${what} refuses an option with a mistake: ${problem.source}`, async () => {
    const isExplained = (error: Error) =>
      error instanceof TypeError && error.message.startsWith(`${what}: `) && problem.test(error.message)
    await assert.rejects(async () => pass(), isExplained)
  })
}

test('a response without a user is no sign-in', async () => {
  const sent = { success: true, message: 'If the account exists, a link was sent', token_id: 'id' }
  const client = createClient({ url, session: store, fetch: async () => Response.json(sent) })
  await assert.rejects(client.signIn({ token: 'a token' }), { code: 'NETWORK_ERROR' })
})

test('undefined means absent', () => {
  const client = createClient({ url, session: undefined, fetch: undefined } as never)
  assert.equal(client.signInUrl({ returnTo: undefined, maxAge: undefined } as never), `${url}/login`)
  assert.equal(client.signInUrl(), `${url}/login`)
})
