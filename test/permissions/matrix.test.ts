import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { routesOf } from '../../src/http/server/create-server.ts'
import { emailFactor } from '../support/second-factor.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { type Caller, createCallers } from './callers.ts'
import { expected, expectedInCompat, type Kind, type Row } from './expected.ts'
import { allowedWhileImpersonating, whileImpersonating } from './while-impersonating.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The running server's paths and their methods. */
function pathsOf(app: TestApp): Map<string, string[]> {
  const paths = Map.groupBy(routesOf(app.http), ({ url }) => url)
  return new Map([...paths].map(([url, routes]) => [url, routes.map(({ method }) => method)]))
}

/** Methods that are registered together with another: HEAD with GET, PATCH with PUT. */
const isTwin = (method: string): boolean => method === 'HEAD' || method === 'PATCH'

const outcomeOf = ({ status, json }: Reply): string => {
  if (json?.code) return `${status} ${json.code}`
  return json?.requires_2fa ? `${status} pending` : String(status)
}

describe('with the settings of a fresh installation', () => {
  let app: TestApp
  let callers: Caller[]
  before(async () => {
    app = await startTestApp({
      modules: ['onboarding', 'privacy', 'two-factor', 'api-keys', 'oauth', 'blog', 'post-types'],
      env: {
        BLOG_ENABLED: 'true',
        POST_TYPES_ENABLED: 'true',
        RATE_LIMIT_BULK: '1000/1h',
        RATE_LIMIT_EXPORT: '1000/1h',
        RATE_LIMIT_COMMENT: '1000/1h',
        RATE_LIMIT_INTERACT: '1000/1h',
      },
    })
    callers = await createCallers(app)
  })
  after(() => app.stop())

  test('every route has a line in the permission table, and every line a route', () => {
    const routes = routesOf(app.http).filter(({ method }) => !isTwin(method))
    const names = routes.map(({ method, url }) => `${method} ${url}`)
    assert.deepEqual(names.toSorted(), Object.keys(expected).toSorted())
  })

  test('every route answers every caller by every method as the table says', async () => {
    const wrong: string[] = []
    for (const [url, known] of pathsOf(app)) {
      for (const method of methods) {
        for (const caller of callers) {
          const outcome = outcomeOf(await app.call(method, url, caller.credentials))
          const right = expectedOutcome(app, known, method, url, caller)
          if (
            ['/auth/logout', '/auth/impersonation/stop'].includes(url) ||
            (method === 'DELETE' && url === '/auth/user/me')
          )
            await caller.renew()
          if (outcome !== right) wrong.push(`${method} ${url} for ${caller.name}: ${outcome}, not ${right}`)
        }
      }
    }
    assert.deepEqual(wrong, [])
  })

  test('an impersonated session is accepted only on the listed routes', () => {
    const allowed = routesOf(app.http).filter(({ rule }) => rule.whileImpersonating === 'allowed')
    const declared = allowed.filter(({ method }) => !isTwin(method)).map(({ method, url }) => `${method} ${url}`)
    assert.deepEqual(declared.toSorted(), allowedWhileImpersonating.toSorted())
  })

  test('a partial session counts only on the listed routes', () => {
    const isKnown = ([, row]: [string, Row]) =>
      row.partial !== row.anonymous && row.partial !== '401 TWO_FACTOR_REQUIRED'
    const known = Object.entries(expected)
      .filter(isKnown)
      .map(([route]) => route)
    assert.deepEqual(known.toSorted(), [
      'GET /auth/me',
      'GET /auth/session/current',
      'GET /auth/validation',
      'POST /auth/logout',
      'POST /auth/two_factor/:method/start',
      'POST /auth/two_factor/verify',
      'POST /auth/validation',
    ])
  })
})

/** For these paths, GET matches a parameterized route: the last segment is treated as an id. */
const readAsParameter = [
  '/api/v1/posts/:id',
  '/api/v1/posts/preview',
  '/api/v1/post-types/reorder',
  '/auth/admin/users/bulk',
  '/blog/unlock',
  '/blog/comments',
]

function expectedOutcome(app: TestApp, known: string[], method: string, url: string, caller: Caller): string {
  if (method === 'OPTIONS' && !known.includes('OPTIONS')) return '200'
  // HEAD returns the same status as GET, but no body with an error code.
  const isRead = known.includes('HEAD') || readAsParameter.includes(url)
  if (method === 'HEAD' && !isRead) return '405'
  if (method === 'HEAD') return expectedOutcome(app, known, 'GET', url, caller).slice(0, 3)
  if (method === 'PATCH') return expectedOutcome(app, known, 'PUT', url, caller)
  // Pages read the session only from the browser's cookie.
  if (
    method === 'GET' &&
    ['/login/verify', '/logout', '/oauth/logout'].includes(url) &&
    caller.name === 'partial by cookie'
  )
    return '200'
  const own = `${method} ${url}`
  const route = expected[own] ? own : `${method} ${withParameter(method, url)}`
  const line = expected[route]
  if (!known.includes(method) && !line) return '405 METHOD_NOT_ALLOWED'
  if (caller.kind === 'impersonated') return line ? whileImpersonating(app, route, line) : 'no line in the table'
  return line?.[caller.kind] ?? 'no line in the table'
}

/**
 * With methods that they do not support, these paths match parameterized routes: /users/search, /users/export and
 * /users/bulk match a user, /passkeys/options matches a passkey, /keys/report and /keys/current match a key, /two_factor/verify matches a
 * method, a slug or a feed matches an id, and /post-types/reorder matches a type.
 */
const withParameter = (method: string, url: string): string =>
  url
    .replace(/\/posts\/[:\w.]+$/, method === 'GET' ? '/posts/:slug' : '/posts/:id')
    .replace(/\/blog\/\w+$/, method === 'GET' ? '/blog/:slug' : '$&')
    .replace(/\/post-types\/reorder$/, '/post-types/:key')
    .replace(/\/users\/(search|export|bulk)$/, '/users/:user_id')
    .replace(/\/passkeys\/options$/, '/passkeys/:passkey_id')
    .replace(/\/keys\/(report|current)$/, '/keys/:key_id')
    .replace(/\/two_factor\/\w+$/, '/two_factor/:method_id')

test('with CLIENT_COMPAT a session alone reads the signed-in user, and a wrong secret beside it does not', async () => {
  const app = await startTestApp({ secondFactor: emailFactor, env: { CLIENT_COMPAT: 'true' } })
  try {
    for (const caller of (await createCallers(app)).filter(({ kind }) => kind !== 'impersonated')) {
      for (const [route, row] of Object.entries(expectedInCompat)) {
        const [method = '', url = ''] = route.split(' ')
        const { headers, ...rest } = caller.credentials
        assert.equal(outcomeOf(await app.call(method, url, caller.credentials)), row[caller.kind as Kind], caller.name)
        const wrong = await app.call(method, url, {
          ...rest,
          headers: { ...headers, 'x-bridge-secret': 'no secret of ours' },
        })
        assert.equal(outcomeOf(wrong), '401 BRIDGE_SECRET_REQUIRED', caller.name)
      }
    }
  } finally {
    await app.stop()
  }
})
