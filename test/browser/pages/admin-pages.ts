import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { operator } from '../../../src/admin/principal.ts'
import { rollUpActivity } from '../../../src/admin/roll-up-activity.ts'
import { addUsage, recountSessions } from '../../../src/admin/usage-queries.ts'
import { recordAudit } from '../../../src/audit/record.ts'
import { hour } from '../../../src/lib/time.ts'
import { applyDeclaration } from '../../../src/roles/declaration/apply.ts'
import { readDeclaration } from '../../../src/roles/declaration/read-declaration.ts'
import { registered, withSession } from '../../support/people.ts'
import { openMenu } from '../menu.ts'
import type { ListedPage } from './list.ts'
import type { World } from './world.ts'

/** The administrators' pages. */
export const adminPages: ListedPage[] = [
  { name: 'admin', path: counted, as: 'grace' },
  { name: 'admin-menu', path: '/admin', as: 'grace', act: openMenu },
  { name: 'admin-year', path: '/admin?range=12m', as: 'grace', act: openTable },
  { name: 'admin-messages', path: '/admin/messages', as: 'grace' },
  { name: 'admin-messages-none', path: '/admin/messages?state=dropped', as: 'grace' },
  { name: 'admin-templates', path: '/admin/messages/templates', as: 'grace' },
  { name: 'admin-template', path: '/admin/messages/templates/password_reset/en', as: 'grace' },
  { name: 'admin-template-text', path: '/admin/messages/templates/login_code/es', as: 'grace' },
  { name: 'admin-template-refused', path: '/admin/messages/templates/new_device/en', as: 'grace', act: saveWrongly },
  { name: 'admin-template-version', path: earlierVersion, as: 'grace' },
  { name: 'admin-privacy', path: withRequests, as: 'grace' },
  { name: 'admin-privacy-none', path: '/admin/privacy?state=closed', as: 'grace' },
  { name: 'admin-modules', path: '/admin/modules', as: 'grace' },
  { name: 'admin-module', path: '/admin/modules/blog', as: 'grace' },
  { name: 'admin-module-switch-off', path: '/admin/modules/two-factor', as: 'grace', act: switchOff },
  { name: 'admin-module-drift', path: changedModule, as: 'grace' },
  { name: 'admin-module-plan', path: changedModule, as: 'grace', act: plan },
  { name: 'admin-applications-none', path: '/admin/applications', as: 'grace' },
  { name: 'admin-applications', path: async (world) => (await withApplications(world)).list, as: 'grace' },
  { name: 'admin-applications-no-match', path: '/admin/applications?q=no-such-application', as: 'grace' },
  { name: 'admin-application-new', path: '/admin/applications/new', as: 'grace' },
  { name: 'admin-application-new-refused', path: '/admin/applications/new', as: 'grace', act: addApplicationWrongly },
  { name: 'admin-application', path: async (world) => (await withApplications(world)).page, as: 'grace' },
  {
    name: 'admin-application-conflict',
    path: async (world) => (await withApplications(world)).page,
    as: 'grace',
    act: saveOutdated,
  },
  { name: 'admin-application-deleted', path: async (world) => (await withApplications(world)).deleted, as: 'grace' },
  {
    name: 'admin-application-disable',
    path: async (world) => `${(await withApplications(world)).page}/disable`,
    as: 'grace',
  },
  {
    name: 'admin-application-delete',
    path: async (world) => `${(await withApplications(world)).page}/delete`,
    as: 'grace',
  },
  {
    name: 'admin-application-connect',
    path: async (world) => `${(await withApplications(world)).page}/connect?with=nextjs&done=created`,
    as: 'grace',
  },
  {
    name: 'admin-application-appearance',
    path: async (world) => `${(await withBrandedApplication(world)).page}/appearance`,
    as: 'grace',
  },
  {
    name: 'admin-application-appearance-refused',
    path: async (world) => `${(await withBrandedApplication(world)).page}/appearance`,
    as: 'grace',
    act: async (page) => {
      await page.fill('[name=accent]', 'blue')
      await Promise.all([page.waitForEvent('load'), page.press('[name=accent]', 'Enter')])
    },
  },
  {
    name: 'admin-application-secrets',
    path: async (world) => `${(await withApplications(world)).page}/secrets`,
    as: 'grace',
    act: createSecret,
  },
  {
    name: 'admin-application-secret-in-files',
    path: async (world) => `${(await withApplications(world)).page}/connect?with=express`,
    as: 'grace',
    act: createSecret,
  },
  {
    name: 'admin-application-rejections',
    path: async (world) => {
      const { page } = await withApplications(world)
      await world.app.get('/login?return_to=https%3A%2F%2Fkiosk.example.com%3A8443%2Fa-long-path-that-must-wrap')
      return `${page}/rejections`
    },
    as: 'grace',
  },
  { name: 'admin-application-rejections-of-none', path: '/admin/applications/rejections', as: 'grace' },
  {
    name: 'admin-application-gateway',
    path: async (world) => `${(await withApplications(world)).page}/connect?with=haproxy`,
    as: 'grace',
  },
  {
    name: 'admin-application-no-address',
    path: async (world) => `${(await withApplications(world)).page}/connect?with=mobile`,
    as: 'grace',
  },
  {
    name: 'admin-application-test',
    path: async (world) => `${(await withApplications(world)).page}/test`,
    as: 'grace',
  },
  {
    name: 'admin-application-test-failed',
    path: async (world) => `${(await withApplications(world)).inside}/test`,
    as: 'grace',
    act: startTest,
  },
  { name: 'admin-staff-roles', path: async (world) => (await withRole(world)).list, as: 'grace' },
  { name: 'admin-permissions', path: async (world) => await withPermissions(world), as: 'grace' },
  { name: 'admin-staff-role-new', path: '/admin/roles/new', as: 'grace' },
  { name: 'admin-staff-role-refused', path: '/admin/roles/new', as: 'grace', act: addRoleWrongly },
  { name: 'admin-staff-role', path: async (world) => `${(await withRole(world)).page}?done=created`, as: 'grace' },
  { name: 'admin-staff-role-delete', path: async (world) => `${(await withRole(world)).page}/delete`, as: 'grace' },
  { name: 'admin-service-accounts-none', path: '/admin/service-accounts', as: 'grace' },
  { name: 'admin-service-accounts', path: async (world) => (await withServiceAccount(world)).list, as: 'grace' },
  { name: 'admin-service-account-new', path: '/admin/service-accounts/new', as: 'grace' },
  { name: 'admin-service-account-refused', path: '/admin/service-accounts/new', as: 'grace', act: addAccountWrongly },
  { name: 'admin-service-account', path: async (world) => (await withServiceAccount(world)).page, as: 'grace' },
  {
    name: 'admin-service-account-secret',
    path: async (world) => (await withServiceAccount(world)).page,
    as: 'grace',
    act: createServiceKey,
  },
  {
    name: 'admin-service-account-delete',
    path: async (world) => `${(await withServiceAccount(world)).page}/delete`,
    as: 'grace',
  },
  { name: 'admin-webhooks-none', path: '/admin/webhooks', as: 'grace' },
  { name: 'admin-webhooks', path: async (world) => (await withWebhook(world)).list, as: 'grace' },
  { name: 'admin-webhooks-refused', path: '/admin/webhooks', as: 'grace', act: createWebhookWrongly },
  { name: 'admin-webhook', path: async (world) => (await withWebhook(world)).page, as: 'grace' },
  { name: 'admin-webhook-secret', path: '/admin/webhooks', as: 'grace', act: createWebhook },
  { name: 'admin-webhook-delete', path: async (world) => `${(await withWebhook(world)).page}/delete`, as: 'grace' },
  { name: 'admin-webhook-delivery', path: async (world) => (await withWebhook(world)).delivery, as: 'grace' },
  { name: 'admin-settings', path: '/admin/settings', as: 'grace' },
  { name: 'admin-settings-changed', path: '/admin/settings?changed=1', as: 'grace' },
  { name: 'admin-settings-none', path: '/admin/settings?q=no-such-setting', as: 'grace' },
  { name: 'admin-brand', path: '/admin/settings/brand', as: 'grace' },
  { name: 'admin-brand-colour', path: '/admin/settings/brand', as: 'grace', act: chooseColour },
  { name: 'admin-brand-refused', path: '/admin/settings/brand', as: 'grace', act: brandWrongly },
  { name: 'admin-chapter', path: '/admin/settings/names-and-languages', as: 'grace' },
  { name: 'admin-chapter-refused', path: '/admin/settings/registration-and-passwords', as: 'grace', act: setWrongly },
  { name: 'admin-chapter-saved', path: '/admin/settings/names-and-languages', as: 'grace', act: saveRegion },
  { name: 'admin-chapter-connect', path: '/admin/settings/clients-origins-and-proxies', as: 'grace' },
  { name: 'admin-chapter-fixed', path: '/admin/settings/rate-limits', as: 'grace' },
  { name: 'admin-audit', path: '/admin/audit', as: 'grace', act: openDetails },
  { name: 'admin-audit-filtered', path: '/admin/audit?outcome=failure&from=2020-01-01T00:00', as: 'grace' },
  { name: 'admin-audit-none', path: '/admin/audit?event=backup_restored', as: 'grace' },
  { name: 'admin-audit-bad', path: '/admin/audit?person=nobody-of-this-name', as: 'grace' },
  { name: 'admin-audit-export', path: '/admin/audit/export?event=login_success', as: 'grace' },
  { name: 'admin-security', path: locked, as: 'grace' },
  { name: 'admin-refused', path: '/admin', as: 'somebody' },
  { name: 'admin-people', path: '/admin/people', as: 'grace' },
  { name: 'admin-people-filtered', path: '/admin/people?q=ada&verified=false', as: 'grace' },
  { name: 'admin-people-none', path: '/admin/people?q=nobody-of-this-name', as: 'grace' },
  { name: 'admin-new', path: '/admin/people/new', as: 'grace' },
  { name: 'admin-new-refused', path: '/admin/people/new', as: 'grace', act: createWrongly },
  { name: 'admin-bulk', path: '/admin/people?q=ada', as: 'grace', act: chooseAll },
  { name: 'admin-bulk-role', path: '/admin/people?q=ada', as: 'grace', act: chooseRole },
  { name: 'admin-bulk-done', path: '/admin/people', as: 'grace', act: blockOne },
  { name: 'admin-bulk-failed', path: '/admin/people', as: 'grace', act: blockDeleted },
  { name: 'admin-person-blocked', path: changed('block', { reason: 'Sent unsolicited advertising' }), as: 'grace' },
  { name: 'admin-person-deleted', path: changed('delete'), as: 'grace' },
  { name: 'admin-person-invited', path: invited, as: 'grace' },
  { name: 'admin-people-deleted', path: withDeleted, as: 'grace' },
  { name: 'admin-person-throttled', path: throttled, as: 'grace' },
  { name: 'admin-person', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}`), as: 'grace' },
  { name: 'admin-person-passkey', path: ({ grace }) => Promise.resolve(`/admin/people/${grace.id}`), as: 'grace' },
  { name: 'admin-block', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/block`), as: 'grace' },
  { name: 'admin-impersonate', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/impersonate`), as: 'grace' },
  {
    name: 'admin-schedule',
    path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/schedule-deletion`),
    as: 'grace',
  },
  { name: 'admin-edit', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/edit`), as: 'grace' },
  { name: 'admin-role', path: ({ ada }) => Promise.resolve(`/admin/people/${ada.id}/role`), as: 'grace' },
  { name: 'admin-export', path: '/admin/people/export?done=confirmed', as: 'grace' },
]

/** Adds counts so that the charts are not empty. */
async function counted({ app }: World): Promise<string> {
  await rollUpActivity(app.ctx)
  await sql`INSERT INTO activity_counts (unit, start, figure, count)
    SELECT 'day', date_trunc('day', now(), 'UTC') - i * interval '1 day', figure, (i * 7919 + length(figure) * 13) % 97 + 3
    FROM generate_series(1, 200) AS i, unnest(ARRAY['new_people', 'sign_ins', 'failures']) AS figure
    ON CONFLICT DO NOTHING`.execute(app.ctx.db)
  return '/admin'
}

/** Locks an account, adds counts, and sends a request that is refused because of a wrong bridge secret. */
async function locked({ app }: World): Promise<string> {
  const { id, email } = await registered(app)
  for (let attempt = 0; attempt < 5; attempt++) await app.post('/auth/login', { email, password: 'not the password' })
  const until = new Date(app.clock.now() + hour)
  await sql`UPDATE account_counters SET locked_until = ${until} WHERE failures >= 5`.execute(app.ctx.db)
  await recordAudit(app.ctx, { event: 'login_locked', outcome: 'failure', target: id })
  await app.post('/auth/bridge/validate', {}, { headers: { 'x-bridge-secret': 'not the secret' } })
  await rollUpActivity(app.ctx)
  const at = new Date(app.clock.now())
  const [kind, limit] = ['bridge_secret', 'rate_limit'] as const
  await addUsage(app.ctx.db, [{ kind, name: 'payments-back-end', count: 1_204_512 }], at)
  await addUsage(app.ctx.db, [{ kind: limit, name: 'cache_invalidation', count: 12 }], at)
  await recountSessions(app.ctx.db, new Date(0), at)
  return '/admin/security'
}

/** A user with too many wrong passwords, whose deletion is scheduled. */
async function throttled({ app, grace }: World): Promise<string> {
  const { id, email } = await registered(app)
  for (let attempt = 0; attempt < 6; attempt++) await app.post('/auth/login', { email, password: 'not the password' })
  await app.post(`/auth/admin/users/${id}/privacy/delete-request`, {}, withSession(grace.sessionToken))
  return `/admin/people/${id}`
}

/** Chooses a colour with too little contrast in light mode. */
async function chooseColour(page: Page): Promise<void> {
  await page.fill('#APP_ACCENT', '#ffd800')
  await page.click('[value=page-light]')
  await page.locator('#accent-note:not(:empty)').waitFor()
}

async function openTable(page: Page): Promise<void> {
  await page.click('.columns details summary')
}

async function openDetails(page: Page): Promise<void> {
  await page.click('.event details summary')
}

async function createWrongly(page: Page): Promise<void> {
  await page.fill('[name=email]', 'ada@localhost')
  await Promise.all([page.waitForEvent('load'), page.press('[name=email]', 'Enter')])
}

/** An enabled application with several addresses, and a deleted one. The pages share them. */
async function withApplications({ app, grace }: World) {
  const [base, own] = ['/auth/admin/applications', withSession(grace.sessionToken)]
  const { json: found } = await app.get(`${base}?q=kiosk`, own)
  const ids: string[] = found.data.applications.map(({ id }: { id: string }) => id)
  for (const [key, name] of ids.length > 0
    ? []
    : [
        ['kiosk', 'Kiosk'],
        ['kiosk-2', 'Kiosk مرحبا'],
      ]) {
    const addresses = [`https://${key}.example.com`, `https://staging.${key}.example.com/a-long-path-that-must-wrap`]
    const { json } = await app.post(base, { key, name, kind: 'website', return_addresses: addresses }, own)
    ids.push(json.data.id)
  }
  const { json: others } = await app.get(`${base}?q=intranet`, own)
  const inside = others.data.applications[0] ?? (await app.post(base, intranet, own)).json.data
  await app.call('DELETE', `${base}/${ids[1]}`, own)
  const page = `/admin/applications/${ids[0]}`
  return {
    list: '/admin/applications',
    page,
    deleted: `/admin/applications/${ids[1]}`,
    inside: `/admin/applications/${inside.id}`,
  }
}

/** The service requests no private addresses. */
const intranet = { key: 'intranet', name: 'Intranet', kind: 'website', return_addresses: ['https://10.1.2.3'] }

async function startTest(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.press('[name=page]', 'Enter')])
}

/** Its sign-in pages have a look of their own. */
export async function withBrandedApplication(world: World) {
  const { page } = await withApplications(world)
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#b3261e"/></svg>'
  const look = { accent: '#b3261e', logo: `data:;base64,${Buffer.from(svg).toString('base64')}` }
  const urls = { terms_url: 'https://kiosk.example.com/terms', sign_out_url: 'https://kiosk.example.com/bye' }
  const own = withSession(world.grace.sessionToken)
  await world.app.call('PUT', page.replace('/admin', '/auth/admin'), { body: { ...look, ...urls }, ...own })
  return { page, address: 'https://kiosk.example.com/' }
}

async function addApplicationWrongly(page: Page): Promise<void> {
  await page.selectOption('[name=with]', 'express')
  await page.fill('[name=name]', 'Kiosk')
  await page.fill('[name=address]', 'https://kiosk.example.org/shop')
  await Promise.all([page.waitForEvent('load'), page.press('[name=name]', 'Enter')])
}

/** Revokes the others first, because an application has two at most. */
async function createSecret(page: Page): Promise<void> {
  const shown = page.url()
  await page.goto(shown.replace(/\/connect.*/, '/secrets'))
  for (;;) {
    const revoke = page.locator('details:has([value=revoke])').first()
    if ((await revoke.count()) === 0) break
    await revoke.locator('summary').click()
    await Promise.all([page.waitForEvent('load'), revoke.locator('[value=revoke]').click()])
  }
  await page.goto(shown)
  await Promise.all([page.waitForEvent('load'), page.click('form[method=post] button:has-text("secret")')])
}

/** The time in the form is that of an earlier state, as after a change by somebody else. */
async function saveOutdated(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('[name=expected_updated_at]').value = '2026-01-01T00:00:00.000Z'`)
  await page.fill('[name=name]', 'Another name')
  await Promise.all([page.waitForEvent('load'), page.press('[name=name]', 'Enter')])
}

async function createWebhook(page: Page): Promise<void> {
  await page.fill('[name=url]', 'https://hooks.example.com/wardenry')
  await Promise.all([page.waitForEvent('load'), page.press('[name=url]', 'Enter')])
}

async function createWebhookWrongly(page: Page): Promise<void> {
  await page.fill('[name=url]', 'http://hooks.example.com/')
  await Promise.all([page.waitForEvent('load'), page.press('[name=url]', 'Enter')])
}

async function withPermissions({ app, grace }: World): Promise<string> {
  const key = `billing-${grace.id.slice(-6)}`
  const session = withSession(grace.sessionToken)
  await app.post('/auth/admin/applications', { key, name: 'Billing', kind: 'website' }, session)
  await applyDeclaration(app.ctx, operator, {
    ...{ application: key, prune: false },
    declaration: readDeclaration({
      permissions: [
        { key: `${key}:read`, title: { en: 'See invoices', es: 'Ver facturas' }, description: { en: 'Of all years' } },
        { key: `${key}:write`, title: { en: 'Change invoices', es: 'Cambiar facturas' }, sensitive: true },
      ],
    }),
  })
  return '/admin/roles/permissions'
}

async function withRole({ app, grace }: World) {
  const permissions = ['users:read', 'users:block', 'users:export']
  const key = `moderator-${grace.id.slice(-6)}`
  const session = withSession(grace.sessionToken)
  await app.post('/auth/admin/roles', { key, name: 'Moderator', description: 'Blocks spam', permissions }, session)
  const { json } = await app.get('/auth/admin/roles', session)
  const role = (json.data.roles as { id: string; key: string }[]).find((one) => one.key === key)
  return { list: '/admin/roles', page: `/admin/roles/${role?.id}` }
}

async function addRoleWrongly(page: Page): Promise<void> {
  await page.fill('[name=name]', 'Support for partners')
  await page.fill('[name=key]', 'customer')
  await Promise.all([page.waitForEvent('load'), page.press('[name=key]', 'Enter')])
}

/** A service account with a key. */
async function withServiceAccount({ app, grace }: World) {
  const session = withSession(grace.sessionToken)
  const scopes = ['wardenry:users:read', 'wardenry:audit:read']
  const account = { name: 'Deployment', description: 'Deploys the shop', owners: [grace.id], scopes }
  const { json } = await app.post('/auth/admin/service-accounts', account, session)
  const key = { name: 'ci', scopes, ends_at: new Date(app.clock.now() + 720 * hour).toISOString() }
  await app.post(`/auth/admin/service-accounts/${json.data.id}/keys`, key, session)
  return { list: '/admin/service-accounts', page: `/admin/service-accounts/${json.data.id}` }
}

async function addAccountWrongly(page: Page): Promise<void> {
  await page.fill('[name=name]', 'Deployment')
  await page.fill('[name=owners]', 'nobody@example.com')
  await Promise.all([page.waitForEvent('load'), page.press('[name=name]', 'Enter')])
}

async function createServiceKey(page: Page): Promise<void> {
  await page.fill('#name', 'deploy')
  await page.check('form[action$="/keys"] [name="scope_wardenry:users:read"]')
  await Promise.all([page.waitForEvent('load'), page.press('#name', 'Enter')])
}

/** A webhook with one delivery that was rejected twice. */
async function withWebhook({ app, grace, ada }: World) {
  const input = { url: 'https://hooks.example.com/wardenry', events: ['user.*'], description: 'CRM', enabled: false }
  const { json } = await app.post('/auth/admin/webhooks', input, withSession(grace.sessionToken))
  const { id } = json.data.webhook
  const { rows } = await sql<{ id: string }>`
    WITH event AS (SELECT seq, position, target_id FROM events WHERE target_id = ${ada.id} AND position > 0 LIMIT 1),
      delivery AS (INSERT INTO webhook_deliveries (id, webhook_id, event_seq, position, target_id, attempts, created_at,
        next_attempt_at) SELECT gen_random_uuid(), ${id}, seq, position, target_id, 2, now(), now() FROM event
        RETURNING id),
      attempts AS (INSERT INTO webhook_attempts (delivery_id, started_at, duration_ms, status, error, response)
        SELECT id, now(), took, status, error, response FROM delivery, (VALUES
          (10000, NULL::int, 'hooks.example.com did not respond in time', NULL),
          (42, 503, NULL, 'Service Unavailable')) AS tried (took, status, error, response))
    SELECT id FROM delivery`.execute(app.ctx.db)
  const page = `/admin/webhooks/${id}`
  return { list: '/admin/webhooks', page, delivery: `${page}/deliveries/${rows[0]?.id}` }
}

async function setWrongly(page: Page): Promise<void> {
  await page.fill('[name=CODE_TTL]', 'ten minutes')
  await Promise.all([page.waitForEvent('load'), page.press('[name=CODE_TTL]', 'Enter')])
}

/** Saves a value that differs from the last one, so that the page shows the change. */
async function saveRegion(page: Page): Promise<void> {
  const region = (await page.inputValue('[name=DEFAULT_PHONE_REGION]')) === 'ES' ? 'FR' : 'ES'
  await page.fill('[name=DEFAULT_PHONE_REGION]', region)
  await Promise.all([page.waitForEvent('load'), page.press('[name=DEFAULT_PHONE_REGION]', 'Enter')])
}

async function switchOff(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click('form[action$="/switch"] button')])
}

async function brandWrongly(page: Page): Promise<void> {
  await page.fill('[name=APP_ACCENT]', 'blue')
  await Promise.all([page.waitForEvent('load'), page.press('[name=APP_ACCENT]', 'Enter')])
}

/** Creates a data export for Ada and a deletion request for another user. */
async function withRequests({ app, ada, grace }: World): Promise<string> {
  const admin = withSession(grace.sessionToken)
  await app.post(`/auth/admin/users/${ada.id}/privacy/export`, {}, admin)
  const { id } = await registered(app)
  const body = { reason: 'I use another service now.' }
  await app.post(`/auth/admin/users/${id}/privacy/delete-request`, body, admin)
  return '/admin/privacy'
}

/** Changes an installed module's checksum so that it appears as changed. */
async function changedModule({ app }: World): Promise<string> {
  await sql`UPDATE module_hub_registry SET checksum = 'other' WHERE module_id = 'onboarding'`.execute(app.ctx.db)
  return '/admin/modules/onboarding'
}

async function plan(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click('form[action$="/plan"] button')])
  await page.click('details summary')
}

async function chooseAll(page: Page): Promise<void> {
  await page.check('[data-select-all]')
  await page.selectOption('#action', 'block')
  await Promise.all([page.waitForEvent('load'), page.click('.bar-action button')])
}

async function chooseRole(page: Page): Promise<void> {
  await page.check('[data-select-all]')
  await page.selectOption('#action', 'set_role')
  await Promise.all([page.waitForEvent('load'), page.click('.bar-action button')])
}

/** Shows the result of a block. */
async function blockOne(page: Page, { app }: World): Promise<void> {
  const { id } = await registered(app)
  await page.reload()
  await page.check(`[value="${id}"]`)
  await page.selectOption('#action', 'block')
  await Promise.all([page.waitForEvent('load'), page.click('.bar-action button')])
  await page.fill('#reason', 'A mistake')
  await Promise.all([page.waitForEvent('load'), page.press('#reason', 'Enter')])
}

async function saveWrongly(page: Page): Promise<void> {
  await page.fill('#text', 'Hello {{nobody}}')
  await Promise.all([page.waitForEvent('load'), page.click('button[value=save]')])
}

/** Blocks all users, one of whom has been deleted in the meantime. */
async function blockDeleted(page: Page, { app, grace }: World): Promise<void> {
  const { id } = await registered(app)
  await page.reload()
  await chooseAll(page)
  await app.call('DELETE', `/auth/admin/users/${id}`, withSession(grace.sessionToken))
  await page.fill('#reason', 'A mistake')
  await Promise.all([page.waitForEvent('load'), page.press('#reason', 'Enter')])
}

async function withDeleted({ app, grace }: World): Promise<string> {
  const { id, user_name } = await registered(app)
  await app.call('DELETE', `/auth/admin/users/${id}`, withSession(grace.sessionToken))
  return `/admin/people?deleted=true&q=${user_name}`
}

/** The page of a person who has not accepted the invitation. */
async function invited({ app, grace }: World): Promise<string> {
  const body = { email: `barbara.${app.clock.now()}@long-name.subdomain.example.com`, send_invite: true }
  const { json } = await app.post('/auth/admin/users', body, withSession(grace.sessionToken))
  return `/admin/people/${json.data.user.id}?done=invited`
}

/** A new user whom Grace has blocked or deleted. */
function changed(change: 'block' | 'delete', body: object = {}) {
  return async ({ app, grace }: World): Promise<string> => {
    const { id } = await registered(app)
    const who = withSession(grace.sessionToken)
    if (change === 'delete') await app.call('DELETE', `/auth/admin/users/${id}`, who)
    else await app.post(`/auth/admin/users/${id}/block`, body, who)
    return `/admin/people/${id}?done=${change}`
  }
}

/** A template with two versions. */
async function earlierVersion({ app, grace }: World): Promise<string> {
  const one = 'verify_email/en'
  const path = `/auth/admin/messages/${one}`
  const { version } = (await app.get(path, withSession(grace.sessionToken))).json.data
  for (const [index, words] of ['Please confirm', 'Is this your address'].entries()) {
    const body = { version: version + index, subject: words, text: `${words}:\n{{url}}\n\nSee you soon` }
    await app.call('PUT', path, { ...withSession(grace.sessionToken), body })
  }
  return `/admin/messages/templates/${one}/versions/${version + 1}`
}
