import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import * as express from '../../../packages/server/src/express.ts'
import * as fastify from '../../../packages/server/src/fastify.ts'
import * as hono from '../../../packages/server/src/hono.ts'
import {
  createWardenry,
  type Rule,
  type SignedEvent,
  verifyEvent,
  type Wardenry,
} from '../../../packages/server/src/index.ts'
import * as koa from '../../../packages/server/src/koa.ts'
import * as next from '../../../packages/server/src/next.ts'
import { ada, application, appUrl, bridgeSecret, letIn, serviceUrl, sessionToken } from './support.ts'

/** Ways to pass a rule. All but the last two take it before the first request. */
const doors: Record<string, (wardenry: Wardenry, ...rules: [rule?: Rule]) => unknown> = {
  express: express.requireUser,
  fastify: fastify.requireUser,
  hono: hono.requireUser,
  koa: koa.requireUser,
  'next, proxy': next.protect,
  'next, server components': (wardenry, ...rules) =>
    next.serverComponents(wardenry, pageFunctions).requireUser('/orders', ...rules),
  requireUser: (wardenry, ...rules) => wardenry.requireUser(request, ...rules),
  getSession: (wardenry, ...rules) => wardenry.getSession(request, ...rules),
}

const request = { method: 'GET', url: '/', headers: { 'x-session-id': sessionToken } }
const pageFunctions = {
  headers: () => request.headers,
  redirect: (): never => assert.fail('redirected'),
}

const mistakes: [rule: unknown, problem: RegExp][] = [
  [{ userType: 'admin' }, /unknown member userType; did you mean userTypes\?/],
  [{ user_types: ['admin'] }, /did you mean userTypes\?/],
  [{ usertypes: ['admin'] }, /did you mean userTypes\?/],
  [{ groups: ['admin'] }, /unknown member groups; the members are userTypes, maxAge, twoFactor, permission, role/],
  [{ roles: ['admin'] }, /unknown member roles; did you mean role\?/],
  [{ permissions: ['invoices:write'] }, /did you mean permission\?/],
  [{ permission: ['invoices:write'] }, /permission must be a permission, such as invoices:write/],
  [{ permission: 'invoices:*' }, /permission must be a permission/],
  [{ permission: 'invoices' }, /permission must be a permission/],
  [{ permission: '' }, /permission must be a permission/],
  [{ permission: undefined }, /permission is undefined/],
  [{ role: ['accountant'] }, /role must be the key of a role/],
  [{ role: '' }, /role must be the key of a role/],
  [{ role: null }, /role must be the key of a role/],
  [{ kind: ['api_key'] }, /did you mean kinds\?/],
  [{ kinds: 'api_key' }, /kinds must be an array of 'session', 'api_key' and 'token'/],
  [{ kinds: [] }, /kinds must be an array/],
  [{ kinds: ['key'] }, /kinds must be an array/],
  [{ kinds: ['session', 'tokens'] }, /kinds must be an array/],
  [{ kinds: ['session', 'token'] }, /kinds with 'token' requires resource, the identifier of this API/],
  [{ kinds: ['session', 'token'], resource: undefined }, /resource is undefined/],
  [{ kinds: ['token'], resource: '' }, /resource must be the identifier of an API/],
  [{ kinds: ['token'], resource: 'api.example.com' }, /resource must be the identifier of an API/],
  [{ kinds: ['token'], resource: 'https://api.example.com#v1' }, /resource must be the identifier of an API/],
  [{ kinds: ['token'], resource: ['https://api.example.com'] }, /resource must be the identifier of an API/],
  [{ kinds: ['token'], audience: 'https://api.example.com' }, /unknown member audience/],
  [{ kinds: ['api_key'], resource: 'https://api.example.com' }, /resource requires kinds with 'token'/],
  [{ resource: 'https://api.example.com' }, /resource requires kinds with 'token'/],
  [{ kinds: undefined }, /kinds is undefined/],
  [{ scope: ['invoices:read'], kinds: ['api_key'] }, /did you mean scopes\?/],
  [{ scopes: ['invoices:read'] }, /scopes requires kinds with 'api_key' or 'token'/],
  [{ scopes: ['invoices:read'], kinds: ['session'] }, /scopes requires kinds with 'api_key' or 'token'/],
  [{ scopes: [], kinds: ['api_key'] }, /scopes must be an array of scopes/],
  [{ scopes: ['Invoices'], kinds: ['api_key'] }, /scopes must be an array of scopes/],
  [{ scopes: 'invoices:read', kinds: ['api_key'] }, /scopes must be an array of scopes/],
  [
    { scopes: ['wardenry:users:read'], kinds: ['session', 'api_key'] },
    /sessions have no scope wardenry:users:read; leave 'session' out of kinds/,
  ],
  [{ two_factor: true }, /did you mean twoFactor\?/],
  [{ twofactor: true }, /did you mean twoFactor\?/],
  [{ max_age: 60 }, /did you mean maxAge\?/],
  [{ maxAge: '60' }, /maxAge must be a whole number of seconds, at least 30/],
  [{ maxAge: 5 }, /at least 30/],
  [{ maxAge: Number.NaN }, /maxAge must be/],
  [{ maxAge: null }, /maxAge must be/],
  [{ userTypes: 'superadmin' }, /userTypes must be an array of strings/],
  [{ userTypes: undefined }, /userTypes is undefined; omit it, or set it/],
  [{ userTypes: new Set(['admin']) }, /userTypes must be an array/],
  [{ userTypes: [undefined] }, /userTypes must be an array/],
  [{ twoFactor: 'false' }, /twoFactor must be true or false/],
  [{ twoFactor: 1 }, /twoFactor must be true or false/],
  [{ twoFactor: undefined }, /twoFactor is undefined/],
  [Object.create({ userType: 'admin' }), /unknown member userType/],
  [undefined, /the rule is undefined/],
  [null, /must be an object/],
  ['admin', /must be an object/],
  [['admin'], /must be an object/],
  [() => true, /must be an object/],
]

describe('a rule with a mistake', () => {
  for (const [name, door] of Object.entries(doors)) {
    test(`is refused by ${name}`, async () => {
      const { wardenry, answers, asked } = application()
      letIn(answers)
      for (const [rule, problem] of mistakes) {
        // The first five refuse the definition of the route. The others have no definition.
        const isDefinition = !/components|requireUser|getSession/.test(name)
        const pass = () => door(wardenry, rule as Rule)
        if (isDefinition) assert.throws(pass, { name: 'TypeError', message: problem })
        else await assert.rejects(async () => pass(), { name: 'TypeError', message: problem })
      }
      const twoRules = [{ maxAge: 60 }, { twoFactor: true }] as unknown as [Rule]
      await assert.rejects(async () => door(wardenry, ...twoRules), { name: 'TypeError', message: /pass one rule/ })
      assert.deepEqual(asked, [], 'no session was looked up')
    })
  }

  test('is refused where server components take the path first', async () => {
    const { wardenry } = application()
    const { requireUser } = next.serverComponents(wardenry, pageFunctions)
    const pass = () => requireUser({ userTypes: ['admin'] } as unknown as string)
    await assert.rejects(pass, { name: 'TypeError', message: /the path to return to/ })
  })
})

/** What each rule lets in: sessions of these users, with this second factor and this age in seconds. */
const sessions = ['customer', 'admin', 'superadmin'].flatMap((userType) =>
  [0, 1].flatMap((twoFactor) => [10, 100].map((age) => ({ userType, twoFactor, age }))),
)
const correct: Rule[] = [
  { userTypes: ['admin'] },
  { maxAge: 60 },
  { twoFactor: true },
  { userTypes: ['admin'], maxAge: 60 },
]

async function letsIn(rule: unknown): Promise<string[] | 'refused'> {
  const { wardenry, answers } = application()
  const permitted: string[] = []
  for (const { userType, twoFactor, age } of sessions) {
    letIn(answers, {
      user: { ...ada, user_type: userType },
      session: { id: 's', application: appUrl, two_factor_verified: twoFactor },
      authenticated_at: new Date(Date.now() - age * 1000).toISOString(),
    })
    try {
      await wardenry.getSession(request, rule as Rule)
      permitted.push(`${userType} ${twoFactor} ${age}`)
    } catch (error) {
      if (error instanceof TypeError) return 'refused'
    }
  }
  return permitted
}

/** Changes one member: its name in ways that people misspell it, or its value to one of another type. */
const mangled = fc
  .record({
    rule: fc.constantFrom(...correct),
    member: fc.nat(),
    change: fc.oneof(
      fc.constantFrom<(name: string, value: unknown) => [string, unknown]>(
        (name, value) => [name.toLowerCase(), value],
        (name, value) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value],
        (name, value) => [name.slice(0, -1), value],
        (name, value) => [`${name}s`, value],
        (name, value) => [` ${name}`, value],
        (name, value) => [name, String(value)],
        (name, value) => [name, [value]],
        (name, value) => [name, { 0: value, length: 1 }],
      ),
      fc.anything().map((value) => (name: string): [string, unknown] => [name, value]),
      fc.string().map((other) => (_name: string, value: unknown): [string, unknown] => [other, value]),
    ),
  })
  .map(({ rule, member, change }) => {
    const names = Object.keys(rule) as (keyof Rule)[]
    const name = names[member % names.length]!
    const { [name]: value, ...others } = rule
    const [newName, newValue] = change(name, value)
    const changed: Rule = { ...others, [newName]: newValue }
    return { rule, name, changed, isSame: newName === name }
  })

test('no misspelt or mistyped rule permits more than the correct one', async () => {
  const expected = new Map<Rule, string[] | 'refused'>()
  for (const rule of correct) expected.set(rule, await letsIn(rule))
  await fc.assert(
    fc.asyncProperty(mangled, async ({ rule, name, changed, isSame }) => {
      const permitted = await letsIn(changed)
      if (permitted === 'refused') return
      // Another valid value of the same member is another rule, such as a greater age.
      assert.ok(isSame, JSON.stringify(changed))
      if (name === 'userTypes') assert.ok(permitted.every((one) => changed.userTypes?.includes(one.split(' ')[0]!)))
      else if (name === 'maxAge') assert.ok(Number.isInteger(changed.maxAge))
      else assert.equal(typeof changed.twoFactor, 'boolean')
      assert.ok(expected.get(rule) !== 'refused')
    }),
    { numRuns: 300 },
  )
})

test('a rule that changes after the route was defined has no effect', async () => {
  const { wardenry, answers } = application()
  letIn(answers)
  const rule = { userTypes: ['admin'] }
  const protect = next.protect(wardenry, rule)
  rule.userTypes.push('customer')
  Object.assign(rule, { userTypes: undefined })
  const reply = await protect(new Request(`${appUrl}/orders`, { headers: request.headers }))
  assert.equal(reply?.status, 403)
})

const event = { body: '{}', headers: {}, secrets: `whsec_${Buffer.alloc(32).toString('base64')}` }
const otherMistakes: [what: string, pass: () => unknown, problem: RegExp][] = [
  ['createWardenry', () => make({ appURL: appUrl }), /unknown member appURL; did you mean appUrl\?/],
  ['createWardenry', () => make({ applications: 'shop:' }), /applications must be an array of strings/],
  ['createWardenry', () => make({ trustedOrigins: appUrl }), /trustedOrigins must be an array of strings/],
  ['createWardenry', () => make({ session: 'Own' }), /session must be 'own' or 'shared'/],
  ['createWardenry', () => make({ maxSessions: '5' }), /maxSessions must be a whole number, at least 0/],
  ['createWardenry', () => make({ paths: { signin: '/in' } }), /paths: unknown member signin; did you mean signIn\?/],
  ['createWardenry', () => make({ paths: ['/in'] }), /paths: the options must be an object/],
  [
    'signIn',
    () => make().signIn(request, { return_to: '/' } as object),
    /unknown member return_to; did you mean returnTo/,
  ],
  ['signIn', () => make().signIn(request, { prompt: 'Login' } as object), /prompt must be 'login' or 'none'/],
  ['signIn', () => make().signIn(request, { maxAge: '60' } as object), /maxAge must be a whole number/],
  ['signOut', () => make().signOut(request, { scope: 'all' } as object), /scope must be 'sign_in' or 'application'/],
  ['verifyEvent', () => verifyEvent({ ...event, tolerence: 5 } as SignedEvent), /did you mean tolerance\?/],
  ['verifyEvent', () => verifyEvent({ ...event, tolerance: '300' } as unknown as SignedEvent), /tolerance must be/],
  ['verifyEvent', () => verifyEvent({ ...event, secrets: [5] } as unknown as SignedEvent), /secrets must be/],
  ['serverComponents', () => next.serverComponents(make(), { header: () => ({}) } as never), /did you mean headers\?/],
]

function make(options: object = {}): Wardenry {
  return createWardenry({ url: serviceUrl, appUrl, bridgeSecret, ...options })
}

for (const [what, pass, problem] of otherMistakes) {
  test(`${what} refuses an option with a mistake: ${problem.source}`, async () => {
    await assert.rejects(
      async () => pass(),
      (error: Error) => {
        assert.ok(error instanceof TypeError, String(error))
        assert.match(error.message, new RegExp(`^${what}: `))
        assert.match(error.message, problem)
        return true
      },
    )
  })
}

test('undefined means absent in all options but those of a rule', () => {
  const wardenry = make({
    internalUrl: undefined,
    paths: { cancelled: undefined, signIn: undefined },
    onError: undefined,
  })
  const reply = wardenry.signIn(request, { prompt: undefined, maxAge: undefined } as object)
  assert.equal(reply.status, 303)
  wardenry.close()
})
