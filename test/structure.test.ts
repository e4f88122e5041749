import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { functionsIn } from './support/functions-in.ts'

const maxParameters = 4
const maxLines = 60

/** Functions with more parameters, by the reason. Pass related values as an object with a name instead. */
const manyParameters = {
  'The values of a cookie or token, which are signed in this order.': `
    src/sessions/remembered-browsers.ts signature
    src/ui/shared/form-token.ts formTokenState
    src/ui/shared/form-token.ts signFormTokenFor
    src/ui/flow/flow-cookies.ts write`,
  'The context, the request and the response come first, and the last parameter is optional.': `
    packages/server/src/error-page.ts errorPage
    src/modules/blog/pages/content/comments-routes.ts showComments
    src/modules/blog/pages/content/list-routes.ts showContent
    src/modules/privacy/pages/requests/routes.ts showRequests
    src/screens/console/modules/show-module.ts showModule
    src/screens/console/settings/routes.ts finish
    src/screens/console/settings/routes.ts showChapter
    src/ui/shared/send-page.ts sendPage`,
  'A part of one page, with one caller.': `
    src/modules/blog/pages/reading/comments/view.ts commentsData
    src/modules/blog/pages/reading/comments/view.ts formOf`,
  'One parameter for each value of the statement.': `
    src/db/run-text.ts togetherText
    src/one-time-tokens/queries.ts consumeAnyOf
    src/one-time-tokens/queries.ts consumeToken
    src/one-time-tokens/queries.ts findLiveCode
    src/one-time-tokens/queries.ts voidTokensTo
    src/social/queries.ts noteIdentityUse`,
  'Declarations in tables, which read like columns.': `
    src/config/kinds.ts duration
    src/config/kinds.ts integer
    src/config/kinds.ts setting
    src/modules/blog/sitemap/schemas.ts document`,
  'Called while a session is validated or a password is checked, without an object for each call.': `
    src/passwords/check-current.ts assertCurrentPassword
    src/sessions/binding.ts reject
    src/users/account-throttle.ts chargeAccount
    src/users/guess-charge.ts judge`,
}

/** Longer functions, by the reason. */
const long = {
  'Declares routes one after the other. Each handler is short.': `
    src/admin/user-routes.ts userRoutes
    src/email-addresses/change-routes.ts emailChangeRoutes
    src/email-addresses/routes.ts emailRoutes
    src/modules/blog/pages/content/translations-routes.ts contentTranslationRoutes
    src/modules/two-factor/pages/security/add/routes.ts securityAddRoutes
    src/modules/two-factor/routes.ts twoFactorRoutes
    src/passwordless/routes.ts tokenRoutes
    src/passwords/routes.ts passwordRoutes
    src/screens/console/messages/templates/routes.ts templatePageRoutes
    src/screens/console/webhooks/routes.ts webhookPageRoutes
    src/screens/password-reset/routes.ts resetRoutes
    src/screens/sign-in/login/routes.ts loginRoutes
    src/sessions/gateway-routes.ts gatewayRoutes
    src/sessions/revocation-feed.ts startRevocationFeed
    src/sessions/routes.ts sessionRoutes
    src/social/routes.ts socialRoutes`,
  'Returns functions that share state. Each of them is short.': `
    packages/client/src/autofill.ts startAutofill
    packages/client/src/client.ts createClient
    packages/client/src/passkeys.ts passkeyFunctions
    packages/server/src/cached-sessions.ts cachedSessions
    scripts/test/worker-process.ts startWorker
    src/adapters/keep-connected.ts keepConnected
    src/adapters/tracing/spans.ts createSpans
    src/cli/workers/supervise.ts superviseWorkers
    src/db/responsiveness.ts watchResponsiveness
    src/db/server-postgres.ts openServerPostgres
    src/hub/installed.ts watchInstalled
    src/jobs/start.ts startJobs
    src/lib/versioned-cache.ts createVersionedCache
    src/modules/post-types/definition-cache.ts createDefinitionCache
    src/passwords/hash.ts createHasher
    src/sessions/event-streams.ts createEventStreams
    src/sessions/session-cache.ts createSessionCache`,
  'Connects the parts of the service, in the order in which they depend on each other.': `
    src/create-context.ts createContext
    src/create-http.ts createHttp`,
  'The data of one page, in the order of its sections.': `
    src/roles/watch-application-roles.ts watchApplicationRoles
    src/screens/account/profile/view.ts profilePage
    src/screens/console/users/bulk/view.ts bulkPage
    src/screens/console/settings/brand/view.ts brandPage`,
}

const root = new URL('..', import.meta.url).pathname
const functions = globSync('{src,packages/*/src,scripts,bench}/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
  functionsIn(file, readFileSync(root + file, 'utf8')).map((found) => ({ ...found, place: `${file} ${found.name}` })),
)

test(`functions have at most ${maxParameters} parameters`, () => {
  const found = functions.filter(({ parameters }) => parameters > maxParameters)
  assertListed(found, manyParameters)
})

test(`functions have at most ${maxLines} lines`, () => {
  const found = functions.filter(({ lines, place }) => lines > maxLines && !place.startsWith('bench/'))
  assertListed(found, long)
})

test('counts the parameters and lines of declarations, methods and anonymous functions', () => {
  const text = `export function first(one: string, { two, three }: Pair) {
  return list.map((item, index) => item)
}
const second = async <Value>(one: Value, ...more: Value[]) =>
  one
class Third {
  method() {}
}
`
  assert.deepEqual(functionsIn('sample.ts', text), [
    { name: 'first', parameters: 2, lines: 3 },
    { name: 'first', parameters: 2, lines: 1 },
    { name: 'second', parameters: 2, lines: 2 },
    { name: 'method', parameters: 0, lines: 1 },
  ])
})

/** Fails for exceptions that are no longer necessary, too. */
function assertListed(found: { place: string }[], exceptions: Readonly<Record<string, string>>): void {
  const listed = Object.values(exceptions).flatMap((places) => places.trim().split(/\n\s*/))
  assert.deepEqual([...new Set(found.map(({ place }) => place))].sort(), listed.sort())
}
