import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { machineSetup, oauthAdmin, tokenOf } from '../../modules/oauth/support.ts'
import { withSession } from '../../support/people.ts'
import type { ListedPage } from './list.ts'
import type { World } from './world.ts'

const clients = '/admin/oauth/clients'
const apis = '/admin/oauth/apis'
const keys = '/admin/oauth/keys'

/** The pages of clients, APIs and signing keys in the console. Lists are shown before anything is added. */
export const oauthPages: ListedPage[] = [
  { name: 'oauth-clients-none', path: clients, as: 'grace' },
  { name: 'oauth-apis-none', path: apis, as: 'grace' },
  { name: 'oauth-keys-none', path: keys, as: 'grace' },
  { name: 'oauth-clients', path: at(() => clients), as: 'grace' },
  { name: 'oauth-clients-no-match', path: `${clients}?q=nothing`, as: 'grace' },
  { name: 'oauth-client-choose', path: at(() => '/admin/oauth/new/client'), as: 'grace' },
  { name: 'oauth-client-new', path: at(({ choice }) => `/admin/oauth/new/client?${choice}`), as: 'grace' },
  {
    name: 'oauth-client-new-refused',
    path: at(({ choice }) => `/admin/oauth/new/client?${choice}`),
    as: 'grace',
    act: addWrongly,
  },
  {
    name: 'oauth-client-added',
    path: at(({ choice }) => `/admin/oauth/new/client?${choice}`),
    as: 'grace',
    act: addClient,
  },
  { name: 'oauth-client-new-web', path: at(({ web }) => `/admin/oauth/new/client?${web}`), as: 'grace' },
  {
    name: 'oauth-client-new-web-refused',
    path: at(({ web }) => `/admin/oauth/new/client?${web}`),
    as: 'grace',
    act: addWebWrongly,
  },
  { name: 'oauth-client-web', path: at(({ shop }) => shop), as: 'grace', act: openMore },
  { name: 'oauth-client-grants-none', path: at(({ spa }) => `${spa}/grants`), as: 'grace' },
  { name: 'oauth-client-grants', path: withGrants, as: 'grace' },
  { name: 'oauth-client-spa-settings', path: at(({ spa }) => `${spa}/secrets`), as: 'grace' },
  { name: 'oauth-client', path: at(({ machine }) => `${machine}?done=changed`), as: 'grace' },
  { name: 'oauth-client-conflict', path: at(({ machine }) => machine), as: 'grace', act: saveLate },
  { name: 'oauth-client-resource-server', path: at(({ server }) => server), as: 'grace' },
  { name: 'oauth-client-disable', path: at(({ machine }) => `${machine}/disable`), as: 'grace' },
  { name: 'oauth-client-delete', path: at(({ machine }) => `${machine}/delete`), as: 'grace' },
  { name: 'oauth-client-secrets', path: at(({ server }) => `${server}/secrets`), as: 'grace' },
  { name: 'oauth-client-secret-new', path: at(({ machine }) => `${machine}/secrets`), as: 'grace', act: addSecret },
  { name: 'oauth-client-test', path: at(({ machine }) => `${machine}/test`), as: 'grace' },
  { name: 'oauth-client-test-passed', path: at(({ machine }) => `${machine}/test`), as: 'grace', act: submit },
  { name: 'oauth-client-test-failed', path: at(({ machine }) => `${machine}/test`), as: 'grace', act: testWrongly },
  { name: 'oauth-client-rejections-none', path: at(({ server }) => `${server}/rejections`), as: 'grace' },
  { name: 'oauth-client-rejections', path: at(({ machine }) => `${machine}/rejections`), as: 'grace' },
  { name: 'oauth-apis', path: at(() => apis), as: 'grace' },
  { name: 'oauth-api-new', path: at(() => '/admin/oauth/new/api'), as: 'grace' },
  { name: 'oauth-api-new-refused', path: at(() => '/admin/oauth/new/api'), as: 'grace', act: addApiWrongly },
  { name: 'oauth-api', path: at(({ api }) => `${api}?done=created`), as: 'grace' },
  { name: 'oauth-api-disable', path: at(({ api }) => `${api}/disable`), as: 'grace' },
  { name: 'oauth-api-delete', path: at(({ api }) => `${api}/delete`), as: 'grace' },
  { name: 'oauth-keys', path: at(() => keys), as: 'grace' },
  { name: 'oauth-keys-compromised', path: `${keys}/compromised`, as: 'grace' },
]

/** As if Ada had signed in. */
async function withGrants(world: World): Promise<string> {
  const { app, ada } = world
  const path = await at(({ shop }) => shop)(world)
  const clientId = decodeURIComponent(path.split('/').at(-1) ?? '')
  await sql`INSERT INTO oauth_grants (id, user_id, client_id, client_epoch, session_id, is_offline, sid, scopes, claims, amr,
      auth_time, last_used_at, ip_address, user_agent, check_at, expires_at)
    SELECT gen_random_uuid(), ${ada.id}, c.id, c.epoch, (SELECT id FROM sessions WHERE user_id = ${ada.id} LIMIT 1), true,
      gen_random_uuid(), '{openid,email}', '{}', '{pwd}', now(), now(), '192.0.2.1', 'curl/8.5', now() + interval '1 day',
      now() + interval '1 day'
    FROM oauth_clients c WHERE c.client_id = ${clientId}`.execute(app.ctx.db)
  return `${path}/grants`
}

interface Made {
  machine: string
  server: string
  api: string
  /** The query with which the page for adding a client shows all fields. */
  choice: URLSearchParams
  /** The same for a web application. */
  web: URLSearchParams
  shop: string
  spa: string
}

const madeIn = new WeakMap<World, Promise<Made>>()

/** A path that depends on what the first page that needs it creates. */
function at(path: (made: Made) => string) {
  return async (world: World): Promise<string> => {
    const made = madeIn.get(world) ?? make(world)
    madeIn.set(world, made)
    return path(await made)
  }
}

async function make({ app, grace }: World): Promise<Made> {
  const admin = await oauthAdmin(app, grace)
  const { application, api, account, machine, server } = await machineSetup(admin)
  await sql`UPDATE permissions SET title = '{"en":"See invoices","es":"Ver facturas"}',
    description = '{"en":"Of all customers, also drafts","es":"De todos los clientes, también borradores"}'
    WHERE key = ${application.read}`.execute(app.ctx.db)
  await admin.resource(application.id, { name: 'Reports', token_format: 'opaque', access_ttl: 7200 })
  await admin.update(machine.clientId, { name: 'Billing worker' })
  await admin.update(server.clientId, { name: 'Billing API' })
  await tokenOf(app, machine)
  await app.call('POST', '/oauth/token', {
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'invoices:delete' }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${machine.clientId}:${machine.secret}`).toString('base64')}`,
    },
  })
  await app.post('/auth/admin/oauth/keys/rotate', { alg: 'ES256' }, withSession(grace.sessionToken))
  const redirect_uris = ['https://shop.example.com/callback']
  const signsIn = { application_id: application.id, scopes: ['openid', 'email'], redirect_uris }
  const shop = await admin.client({ ...signsIn, type: 'web', name: 'Shop', trusted: true, allowed_types: ['customer'] })
  const spa = await admin.client({ ...signsIn, type: 'spa', name: 'Shop in the browser' })
  const choice = { type: 'machine', application_id: application.id, service_account_id: account.id }
  return {
    ...{ machine: `${clients}/${machine.clientId}`, server: `${clients}/${server.clientId}` },
    ...{ api: `${apis}/${api.id}`, choice: new URLSearchParams(choice) },
    web: new URLSearchParams({ type: 'web', application_id: application.id }),
    ...{ shop: `${clients}/${shop.clientId}`, spa: `${clients}/${spa.clientId}` },
  }
}

async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click('.section form:last-of-type button')])
}

async function addWrongly(page: Page): Promise<void> {
  await page.fill('[name=name]', 'Billing worker')
  await page.fill('[name=client_id]', 'a b')
  await page.fill('[name=access_ttl]', '5')
  await submit(page)
}

async function addWebWrongly(page: Page): Promise<void> {
  await page.fill('[name=name]', 'Shop')
  await page.fill('[name=redirect_uris]', 'https://user@shop.example.com/callback')
  await submit(page)
}

async function openMore(page: Page): Promise<void> {
  await page.click('details.filters > summary')
}

async function addClient(page: Page): Promise<void> {
  await page.fill('[name=name]', 'Nightly export')
  await page.check('[name^=scope_]')
  await page.check('[name^=resource_]')
  await submit(page)
}

/** The time in the form is that of an earlier state, as after a change by somebody else. */
async function saveLate(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('[name=expected_updated_at]').value = '2026-01-01T00:00:00.000Z'`)
  await page.fill('[name=name]', 'Another name')
  await submit(page)
}

async function addSecret(page: Page): Promise<void> {
  const add = page.locator('form[action$="/secrets"] button')
  // The page in the other language has added the second secret.
  if ((await add.count()) === 0) return
  await Promise.all([page.waitForEvent('load'), add.click()])
}

async function testWrongly(page: Page): Promise<void> {
  await page.fill('[name=scope]', 'invoices:delete')
  await submit(page)
}

async function addApiWrongly(page: Page): Promise<void> {
  await page.selectOption('[name=application_id]', { index: 1 })
  await page.fill('[name=identifier]', 'https://user@api.example.com')
  await page.fill('[name=access_ttl]', '7200')
  await submit(page)
}
