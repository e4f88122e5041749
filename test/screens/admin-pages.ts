import type { Config } from '../../src/config/load.ts'
import { day } from '../../src/lib/time.ts'
import { auditExportPage } from '../../src/screens/console/audit/export/view.ts'
import { auditPage } from '../../src/screens/console/audit/list/view.ts'
import { outboxPage } from '../../src/screens/console/messages/outbox/view.ts'
import { editorPage, type Template } from '../../src/screens/console/messages/templates/editor-view.ts'
import { templatesPage } from '../../src/screens/console/messages/templates/list-view.ts'
import { versionPage } from '../../src/screens/console/messages/templates/version-view.ts'
import { modulesPage } from '../../src/screens/console/modules/list/view.ts'
import { modulePage } from '../../src/screens/console/modules/module/view.ts'
import type { ListedModule, ModuleRun } from '../../src/screens/console/modules/modules.ts'
import { planPage } from '../../src/screens/console/modules/plan/view.ts'
import { consoleOverviewPage } from '../../src/screens/console/overview/view.ts'
import { deleteRolePage } from '../../src/screens/console/roles/delete/view.ts'
import { rolesPage } from '../../src/screens/console/roles/list/view.ts'
import { permissionsPage } from '../../src/screens/console/roles/permissions/view.ts'
import { newRolePage, rolePage } from '../../src/screens/console/roles/role/view.ts'
import { securityPage } from '../../src/screens/console/security/view.ts'
import { brandPage } from '../../src/screens/console/settings/brand/view.ts'
import { chapterPage } from '../../src/screens/console/settings/chapter/view.ts'
import { settingsPage } from '../../src/screens/console/settings/list/view.ts'
import type { ListedSetting } from '../../src/screens/console/settings/settings.ts'
import type { ShownAuditEvent } from '../../src/screens/console/shared/sentences.ts'
import { bulkPage } from '../../src/screens/console/users/bulk/view.ts'
import { exportPage } from '../../src/screens/console/users/export/view.ts'
import { usersPage } from '../../src/screens/console/users/list/view.ts'
import { newUserPage } from '../../src/screens/console/users/new/view.ts'
import { actionPage } from '../../src/screens/console/users/user/action-view.ts'
import { coreActions } from '../../src/screens/console/users/user/actions/core-actions.ts'
import type { ManagedUser } from '../../src/screens/console/users/user/read-user.ts'
import { userPage } from '../../src/screens/console/users/user/view.ts'
import { deliveryPage } from '../../src/screens/console/webhooks/delivery/view.ts'
import { webhooksPage } from '../../src/screens/console/webhooks/list/view.ts'
import type { ShownWebhook } from '../../src/screens/console/webhooks/paths.ts'
import { deleteWebhookPage } from '../../src/screens/console/webhooks/webhook/delete-view.ts'
import { type DeliveryOfPage, webhookPage } from '../../src/screens/console/webhooks/webhook/view.ts'
import type { AdminArea } from '../../src/ui/console/layout.ts'
import type { PageContext } from '../../src/ui/shared/render.ts'

const time = '2026-01-31T12:00:00.000Z'
const id = '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'

/** The administrator pages, with `text` in place of all external input. */
export function adminPages(text: string, page: PageContext): Record<string, string> {
  const at = (path: string): AdminArea => ({
    path,
    entries: [
      { path: '/admin', label: () => 'Overview', icon: 'overview', roles: [] },
      { path: '/admin/other', label: () => text, icon: 'people', roles: [] },
    ],
    logoutForm: text,
    roles: { added: [{ key: text, name: text, permissions: [text] }], ofModules: () => ({}) },
    userId: text,
  })
  const area = at('/admin/people')
  const person = personOf(text)
  const list = {
    area,
    can: () => true,
    may: () => true,
    search: { q: text, role: text, created_from: text, page: '2', [text]: text },
    filters: [],
    known: { roles: [text], applicationRoles: ['billing:accountant'], providers: [text] },
    deletedRetention: 30 * day,
    form: text,
    outcome: {},
  }
  const pagination = { page: 2, limit: 25, total: 60, pages: 3, has_more: true }
  const actions = coreActions(
    () => Date.parse(time),
    () => true,
  )
  const action = (name: string) => actions.find((one) => one.name === name) as (typeof actions)[number]
  const actionSettings = { config: {} as Config, now: Date.parse(time), timeZone: null }
  const asked = {
    area,
    person,
    form: text,
    target: `/admin/people/${id}/x`,
    grantable: [text],
    deletedRetention: 30 * day,
    inviteTtl: day,
    settings: actionSettings,
  }
  const role = {
    ...{ id, key: text, name: text, description: text, built_in: false, permissions: [text], users: 0 },
    ...{ created_at: time, updated_at: time },
  }
  const roleForm = { area: at('/admin/roles'), form: text, offered: ['users:read', 'users:export', text] }
  const rejection = { code: 'VALIDATION_ERROR', details: [{ field: 'user_name', message: text }] }
  const values = { user_name: text, name: text, reason: text }
  const shown = {
    area,
    may: () => true,
    person,
    lock: { kind: 'throttled' as const, until: time, form: text },
    events: [eventOf(text)],
    parts: [],
    actions,
    endForm: text,
    inviteTtl: 1,
    deletedRetention: 1,
    viewer: { id: text, role: text },
    sign: () => text,
  }
  const source = { subject: text, text, html: text }
  const template: Template = {
    name: 'verify_email',
    language: 'en',
    channel: 'mail',
    customizable: true,
    state: 'broken',
    version: 2,
    changed_at: time,
    changed_by: text,
    ...source,
    problems: [{ field: 'text', message: text }],
    built_in: source,
    generated_html: text,
    variables: [text],
    subject_variables: [text],
    required_variables: [[text]],
  }
  const editor = {
    area: at('/admin/messages'),
    template,
    versions: [{ version: 1, built_in: true, changed_at: time, changed_by: text }],
    mayEdit: true,
    form: text,
    timeZone: null,
  }
  const settings = settingsOf(text)
  const chapter = {
    area: at('/admin/settings'),
    chapter: text,
    settings,
    version: 3,
    mayChange: true,
    forms: { save: text, picture: text },
    hasDocs: true,
  }
  const settingRefusal = {
    code: 'VALIDATION_ERROR',
    details: settings.map(({ name: field }) => ({ field, message: text })),
  }
  const module = moduleOf(text)
  const modulesArea = at('/admin/modules')
  const modulePageData = {
    area: modulesArea,
    module,
    runs: [runOf(text)],
    modules: [module],
    switches: settings.slice(0, 2),
    isRunning: false,
    mayAct: true,
    maySwitch: true,
    places: {
      chapter: text,
      console: [{ path: '/admin/shop', label: () => text, icon: 'modules', roles: [] }],
      account: [{ path: '/account/shop', label: () => text, icon: 'modules' }],
    },
    forms: { plan: text, switch: text },
    timeZone: null,
    outcome: {},
  }
  const wanted = { operation: 'repair', components: [text] } as const
  const step = {
    component_id: text,
    component_type: 'extension',
    action: 'repair',
    from_version: text,
    to_version: text,
    checksum: text,
    sql: [text],
  } as const
  const figures = {
    people: 1234,
    live_sessions: 56,
    applications: [{ application_id: id, key: 'shop', name: text, sign_ins: 7 }],
    second_factor_people: null,
    measured_at: time,
    waiting_messages: 3,
    counted_at: time,
    unit: 'day' as const,
    periods: [{ start: time, new_people: 1, sign_ins: 5, failures: 2 }],
    attention: [
      { code: 'late_messages' as const, count: 3, since: time },
      // Another version's node may report a code that this version does not know.
      { code: text as 'late_counts', count: 1, since: null },
    ],
  }
  const trail = {
    area: at('/admin/audit'),
    mayAct: true,
    seals: {
      state: 'broken' as const,
      newest: { number: 12, events: 3, sealed_at: time },
      oldest_unsealed_at: time,
      unsealed_over_an_hour: 2,
      checked_seals: 100,
      checked_with_events: 3,
      without_key: 1,
      age_seconds: 1,
      broken: [{ seal: 7, what: 'changed events' as const }],
    },
    search: { event: text, person: text, from: text, page: '2' },
    events: ['login_fail', text],
    parts: [],
    now: Date.parse(time),
    timeZone: null,
  }
  const webhook: ShownWebhook = {
    id,
    url: 'https://hooks.example.com/',
    description: text,
    events: [text],
    enabled: false,
    disabled_reason: 'gone',
    headers: [text],
    has_former_secret: true,
    created_at: time,
    updated_at: time,
    failing_since: time,
    paused_until: time,
    waiting: 1,
    failed: 2,
  }
  const delivery: DeliveryOfPage = {
    id,
    type: text,
    event_id: id,
    done_at: null,
    status: 'waiting',
    attempts: 1,
    created_at: time,
    next_attempt_at: time,
    last_status: null,
    last_error: text,
  }
  return {
    adminModules: modulesPage({ area: modulesArea, modules: [module] }, page),
    adminModule: modulePage(modulePageData, page),
    adminModuleRunning: modulePage(
      {
        ...modulePageData,
        module: { ...module, missing_dependencies: [] },
        isRunning: true,
        maySwitch: false,
        runs: [],
      },
      page,
    ),
    adminModuleFailed: modulePage({ ...modulePageData, outcome: { done: 'run' } }, page),
    adminPlan: planPage(
      {
        area: modulesArea,
        module: { ...module, missing_dependencies: [] },
        plan: [{ ...step, sql: [...step.sql] }],
        wanted: { ...wanted, components: [...wanted.components] },
        form: text,
      },
      page,
    ),
    adminSettings: settingsPage(
      {
        area: at('/admin/settings'),
        settings,
        absent: new Map(),
        leads: new Map([[text, text]]),
        search: {},
        mayChange: true,
      },
      page,
    ),
    adminSettingsNone: settingsPage(
      {
        area: at('/admin/settings'),
        settings,
        absent: new Map(),
        leads: new Map(),
        search: { q: `${text} none`, changed: '1' },
        mayChange: false,
      },
      page,
    ),
    adminBrand: brandPage(
      {
        area: at('/admin/settings'),
        settings,
        version: 1,
        mayChange: true,
        forms: { save: text, logo: text },
        accentNote: text,
        outcome: {},
      },
      page,
    ),
    adminChapter: chapterPage({ ...chapter, outcome: {} }, page),
    adminChapterRefused: chapterPage(
      { ...chapter, outcome: { typed: { TEXT: `${text} typed`, CHOICE: text }, rejection: settingRefusal } },
      page,
    ),
    adminMessages: outboxPage(
      {
        area: at('/admin/messages'),
        found: {
          messages: [
            {
              id: text,
              channel: 'mail',
              message: text,
              state: 'failed',
              recipient: text,
              reason: text,
              attempts: 2,
              created_at: time,
              next_attempt_at: time,
              done_at: null,
              expires_at: null,
              retryable: true,
            },
          ],
          pagination: { page: 2, limit: 25, pages: 3, total: 60, has_more: true },
        },
        names: [text],
        search: { state: 'failed', message: text },
        form: text,
        timeZone: null,
        outcome: { problem: 'MESSAGE_NOT_RETRYABLE' },
      },
      page,
    ),
    adminTemplates: templatesPage(
      {
        area: at('/admin/messages'),
        list: {
          languages: ['en'],
          messages: [
            {
              name: text,
              channel: 'sms',
              customizable: false,
              templates: [{ language: 'en', state: 'broken', version: 1, changed_at: time, changed_by: text }],
            },
          ],
        },
      },
      page,
    ),
    adminTemplate: editorPage({ ...editor, outcome: {} }, page),
    adminTemplateRefused: editorPage(
      { ...editor, outcome: { draft: source, problem: { code: 'EDIT_CONFLICT' } } },
      page,
    ),
    adminTemplateVersion: versionPage({ ...editor, earlier: { ...source, subject: 'old' }, version: '1' }, page),
    adminOverview: consoleOverviewPage(
      { area: at('/admin'), viewer: { name: text, role: text }, figures, range: '30d', now: Date.parse(time) },
      page,
    ),
    adminAudit: auditPage({ ...trail, found: { events: [eventOf(text)], pagination } }, page),
    adminAuditNothing: auditPage({ ...trail, found: undefined }, page),
    adminAuditExport: auditExportPage(
      {
        area: at('/admin/audit'),
        total: 12,
        isTooMany: false,
        query: new URLSearchParams({ event: text }).toString(),
        back: '/admin/audit',
      },
      page,
    ),
    adminChecklist: consoleOverviewPage(
      {
        area: at('/admin'),
        viewer: { name: text, role: text },
        figures,
        range: '24h',
        now: Date.parse(time),
        checklist: [
          { name: 'name', path: '/account/profile', isDone: true },
          { name: 'brand', path: '/admin/settings', isDone: false },
        ],
      },
      page,
    ),
    adminSecurity: securityPage(
      {
        area: at('/admin/security'),
        mayAct: true,
        locks: {
          lockouts: [{ user_id: id, label: text, locked_at: time, locked_until: time, ip: text }],
          throttled: [{ user_id: id, label: text, last_failed_at: time, throttled_until: time, ip: text }],
        },
        secrets: [{ name: text, last_used_at: time, requests_last_day: 1, requests_last_month: 2 }],
        figures: {
          measured_at: time,
          sessions: [{ age: 'hour', computer: 1, mobile: 2, other: 3 }],
          refusals: [{ class: text, last_refused_at: time, requests_last_day: 1, requests_last_month: 2 }],
        },
        events: [{ event: 'csrf_rejected', found: [eventOf(text)] }],
        form: text,
        now: Date.parse(time),
        timeZone: null,
        outcome: { rejection: { code: 'FORBIDDEN' } },
      },
      page,
    ),
    adminWebhooks: webhooksPage(
      {
        area: at('/admin/webhooks'),
        webhooks: [webhook],
        form: text,
        timeZone: null,
        eventTypes: [text],
        typed: { url: text },
        rejection,
      },
      page,
    ),
    adminNoWebhooks: webhooksPage(
      { area: at('/admin/webhooks'), webhooks: [], form: text, timeZone: null, eventTypes: [] },
      page,
    ),
    adminWebhook: webhookPage(
      {
        area: at('/admin/webhooks'),
        webhook,
        log: { deliveries: [delivery], pagination },
        status: 'failed',
        forms: { edit: text, act: text },
        timeZone: null,
        eventTypes: [text],
        secret: text,
        typed: { url: text, events: text, description: text },
        rejection,
      },
      page,
    ),
    adminDelivery: deliveryPage(
      {
        area: at('/admin/webhooks'),
        webhook,
        delivery: {
          ...delivery,
          event: { id, type: text, version: 1, occurred_at: time, data: { user_id: text } },
          log: [{ started_at: time, duration_ms: 12, status: null, error: text, response: text }],
        },
        form: text,
        timeZone: null,
      },
      page,
    ),
    adminDeleteWebhook: deleteWebhookPage({ area: at('/admin/webhooks'), webhook, form: text, rejection }, page),
    adminRoles: rolesPage(
      {
        area: at('/admin/roles'),
        roles: [role],
        applicationRoles: [
          {
            ...{ id: text, application: text, role: text, name: text, description: text, default: false, users: 2 },
            permissions: [{ key: text, sensitive: true, title: { en: text } }],
          },
        ],
        mayEdit: () => true,
        maySeePermissions: true,
        done: text,
      },
      page,
    ),
    adminPermissions: permissionsPage(
      {
        ...{
          area: at('/admin/roles'),
          mayMove: true,
          form: text,
          typed: { permission: text, application: text },
          rejection,
        },
        permissions: [
          {
            ...{ key: text, application: { id: text, key: text }, title: { en: text }, description: { en: text } },
            ...{ sensitive: true, retired_at: time },
          },
        ],
        applications: [{ key: text, name: text }],
      },
      page,
    ),
    adminNewRole: newRolePage({ ...roleForm, typed: { name: text, key: text, description: text }, rejection }, page),
    adminStaffRole: rolePage(
      { ...roleForm, role, give: { invite: '/admin/people/new', people: '/admin/people' } },
      page,
    ),
    adminDeleteRole: deleteRolePage({ area: at('/admin/roles'), role, form: text, rejection }, page),
    adminRoleInUse: deleteRolePage({ area: at('/admin/roles'), role: { ...role, users: 2 }, form: text }, page),
    adminPeople: usersPage({ ...list, found: { users: [person.user], pagination } }, page),
    adminNobody: usersPage({ ...list, found: undefined }, page),
    adminNew: newUserPage(
      {
        area,
        form: text,
        roles: [text],
        minimum: 8,
        hasPasswords: true,
        inviteTtl: 1,
        hasLastName: true,
        typed: { email: text, name: text, last_name: text },
        rejection,
      },
      page,
    ),
    adminBulk: bulkPage(
      {
        area,
        form: text,
        deletedRetention: 1,
        action: 'block',
        ids: [text],
        users: [shown.person.user],
        roles: [text],
        applicationRoles: [],
        typed: { reason: text },
      },
      page,
    ),
    adminBulkFailed: bulkPage(
      {
        area,
        form: text,
        deletedRetention: 1,
        action: 'block',
        ids: [id],
        users: [],
        roles: [],
        applicationRoles: [],
        results: [{ id: text, ok: false, code: text }],
      },
      page,
    ),
    adminExport: exportPage({ area, total: 12, query: new URLSearchParams({ q: text }).toString() }, page),
    adminPerson: userPage({ ...shown, now: Date.parse(time), timeZone: null }, page),
    adminEdit: actionPage({ ...asked, action: action('edit'), values, rejection }, page),
    adminBlock: actionPage({ ...asked, action: action('block'), values }, page),
    adminRole: actionPage({ ...asked, action: action('role') }, page),
  }
}

const personOf = (text: string): ManagedUser => ({
  user: {
    id,
    email: text,
    name: text,
    last_name: text,
    user_name: text,
    user_type: text,
    picture: text,
    phone: text,
    is_verified: false,
    two_factor: false,
    created_at: time,
    updated_at: time,
    first_time: false,
    title: text,
    blocked: { reason: text, since: time, until: time },
    added_by_a_module: text,
  },
  sessions: [
    {
      id,
      sessionPrefix: text,
      parentId: null,
      impersonated: false,
      expiresAt: time,
      ipAddress: text,
      userAgent: text,
      userDevice: text,
      application: null,
      applicationId: null,
      lastUsedAt: time,
      createdAt: time,
      status: 'active',
    },
  ],
  sessionCount: 1,
  has_password: true,
  identities: [
    {
      provider: text,
      provider_user_id: text,
      email: text,
      name: text,
      picture: text,
      is_primary: false,
      linked_at: time,
      last_used_at: time,
    },
  ],
  profile: { display_name: text, lang: text, tmz: text, metadata: { note: text } },
})

const moduleOf = (text: string): ListedModule => ({
  module_id: 'shop',
  name: text,
  module_description: text,
  textLang: 'en',
  module_version: text,
  depends_on: [text],
  status: 'drift',
  runtime_scope: text,
  runtime_scopes: [text],
  enabled: false,
  switches: [text],
  missing_dependencies: [text],
  components: (['installed', 'not_installed', 'outdated', 'drift', 'missing', 'ahead'] as const).map((status) => ({
    component_id: `${text} ${status}`,
    description: text,
    component_type: 'extension',
    installed: status !== 'not_installed',
    checksum_ok: true,
    drift: false,
    action: 'skip',
    depends_on: [],
    expected_version: text,
    installed_version: status === 'not_installed' ? null : text,
    status,
  })),
})

const runOf = (text: string): ModuleRun => ({
  run_id: text,
  time,
  actor_id: id,
  actor_email: text,
  outcome: 'failure',
  code: text,
  reasons: [{ field: text, message: text }],
  steps: [{ component_id: text, action: 'upgrade', from_version: text, to_version: 'other' }],
})

const settingsOf = (text: string): ListedSetting[] => {
  const usual = {
    chapter: text,
    meaning: text,
    type: text,
    choices: null,
    picture: false,
    default: text,
    value: text,
    set: true,
    secret: false,
    source: 'database',
    changeable: true,
    reason: null,
    unused: null,
    changed_at: time,
    changed_by: text,
  } as const
  const hidden = { changeable: false, reason: 'environment', unused: { value: text, problem: text } } as const
  return [
    { ...usual, name: 'TEXT', unused: { value: text, problem: text } },
    { ...usual, name: 'CHOICE', choices: [text, 'other'] },
    { ...usual, name: 'PICTURE', picture: true },
    { ...usual, name: 'HIDDEN', source: 'environment', ...hidden },
    { ...usual, name: 'SECRET', value: null, secret: true, source: 'generated', changeable: false, reason: 'secret' },
  ]
}

const eventOf = (text: string): ShownAuditEvent => ({
  id,
  time,
  event: 'user_blocked',
  outcome: 'failure',
  actor_id: id,
  actor_role: text,
  actor_label: text,
  target_id: id,
  target_label: text,
  impersonator_id: id,
  impersonator_label: text,
  method: text,
  ip: text,
  user_agent: text,
  request_id: text,
  details: { reason: text, list: [text, 1], role: { from: text, to: null }, deep: { [text]: { text } } },
})
