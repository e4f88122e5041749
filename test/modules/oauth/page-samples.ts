import { noSignIn } from '../../../src/modules/oauth/clients/sign-in-schemas.ts'
import { clientPage } from '../../../src/modules/oauth/pages/clients/client/view.ts'
import { clientGrantsPage } from '../../../src/modules/oauth/pages/clients/grants/view.ts'
import { clientsPage } from '../../../src/modules/oauth/pages/clients/list/view.ts'
import { chooseClientPage, newClientPage } from '../../../src/modules/oauth/pages/clients/new/view.ts'
import { clientRejectionsPage } from '../../../src/modules/oauth/pages/clients/rejections/view.ts'
import { clientSecretsPage } from '../../../src/modules/oauth/pages/clients/secrets/view.ts'
import { clientTestPage } from '../../../src/modules/oauth/pages/clients/test/view.ts'
import { confirmDeedPage } from '../../../src/modules/oauth/pages/confirm/view.ts'
import { compromisedKeysPage } from '../../../src/modules/oauth/pages/keys/compromised/view.ts'
import { signingKeysPage } from '../../../src/modules/oauth/pages/keys/list/view.ts'
import { resourcesPage } from '../../../src/modules/oauth/pages/resources/list/view.ts'
import { newResourcePage } from '../../../src/modules/oauth/pages/resources/new/view.ts'
import { resourcePage } from '../../../src/modules/oauth/pages/resources/resource/view.ts'
import { clientRejectionReasons } from '../../../src/modules/oauth/rejections/reasons.ts'
import { clientTestReasons, clientTestSteps } from '../../../src/modules/oauth/token-test/test-steps.ts'
import type { PageSamples } from '../../screens/account-pages.ts'

const time = '2026-01-31T12:00:00.000Z'
const times = { now: Date.parse(time), timeZone: null }

function storedObjects(text: string) {
  const secret = { id: text, hint: text, created_at: time, expires_at: time, last_used_at: time }
  const stamps = { enabled: true, created_at: time, updated_at: time }
  const application = { id: text, key: text }
  const client = {
    ...{
      client_id: text,
      type: 'machine' as const,
      name: text,
      application,
      service_account: { id: text, name: text },
    },
    ...{ scopes: ['wardenry:users:read', text], resources: [text], access_ttl: 60, grant_types: [text] },
    ...{ auth_method: 'client_secret' as const, ...noSignIn },
    ...{ ...stamps, last_used_at: time, secrets: [secret] },
  }
  const server = {
    ...client,
    ...{ type: 'resource_server' as const, service_account: null, scopes: [], enabled: false, last_used_at: null },
    secrets: [],
  }
  const resource = {
    ...{ id: text, application, identifier: text, aliases: [text], name: `${text}.`, token_format: 'jwt' as const },
    ...{ access_ttl: 60, alg: 'ES256' as const, scopes: [text], ...stamps },
  }
  const account = {
    ...{ id: text, name: text, description: text, owners: [], scopes: client.scopes, keys: 0, ...stamps },
    ...{ ended: false, ends_at: null, last_used_at: null },
  }
  const key = { kid: text, alg: 'ES256' as const, published: true, created_at: time, active_from: time }
  const keys = [
    { ...key, status: 'next' as const, retired_at: null, published_until: null },
    { ...key, status: 'current' as const, retired_at: null, published_until: null },
    { ...key, status: 'retired' as const, retired_at: time, published_until: time },
    { ...key, status: 'removed' as const, published: false, retired_at: time, published_until: time },
  ]
  return { client, server, resource, account, keys }
}

export const pageSamples: PageSamples = (text, _area, page) => {
  const { client, server, resource, account, keys } = storedObjects(text)
  const area = {
    ...{ path: '/admin/oauth/clients', entries: [], logoutForm: text, userId: text },
    roles: { added: [], ofModules: () => ({}) },
  }
  const choices = { givable: client.scopes, oidcScopes: ['openid', text], userTypes: [text], permissions: [text] }
  const web = {
    ...{ ...client, type: 'web' as const, service_account: null, redirect_uris: [text], post_logout_uris: [text] },
    ...{ trusted: true, allowed_types: [text], required_permission: text, backchannel_uri: text },
    ...{ refresh_idle_ttl: 3600, refresh_absolute_ttl: 7200, id_token_alg: 'ES256' as const, scopes: ['openid'] },
  }
  const spa = { ...web, type: 'spa' as const, auth_method: 'none' as const, allowed_origins: [text], secrets: [] }
  const grant = {
    ...{
      id: text,
      user: { id: text, email: text },
      scopes: [text],
      offline: true,
      created_at: time,
      last_used_at: time,
    },
    device: text,
  }
  const given = { area, client: web, mayEnd: true, maySeeUsers: true, form: text, ...times, done: 'ended' }
  const typed = { name: text, client_id: text, access_ttl: text, identifier: text, aliases: text, scope: text }
  const rejection = { code: 'VALIDATION_ERROR', details: [{ field: 'name', message: text }] }
  const pagination = { page: 1, limit: 25, total: 2, pages: 1, has_more: false }
  const resources = [resource, { ...resource, id: `${text}2`, token_format: 'opaque' as const, alg: null }]
  const declared = [{ key: text, title: { en: text, es: text }, description: { en: text, es: text } }]
  const defaults = { alg: 'ES256', lifetime: 600 }
  const application = { id: text, name: text, deleted_at: null } as never
  const one = {
    ...{ area, client, resources, accounts: [account], declared, ...choices, mayChange: true, maySeeGrants: true },
    ...{ forms: { edit: text, enable: text }, now: times.now },
  }
  const secrets = {
    area,
    client,
    resources,
    samples: [{ name: text, text }],
    mayChange: true,
    mayTest: true,
    forms: { add: text, remove: text },
    ...times,
  }
  const api = {
    area,
    resource,
    servers: [server],
    declared,
    defaults,
    mayChange: true,
    forms: { edit: text, enable: text },
  }
  const steps = clientTestSteps.map((step) => ({
    step,
    outcome: 'failed' as const,
    reason: clientTestReasons[0] ?? null,
  }))
  const test = { area, client, resources, declared, form: text, typed }
  const rejections = clientRejectionReasons.map((reason) => ({
    ...{ time, reason, endpoint: text, scopes: [text], resource: text, request_id: text },
  }))
  const signing = { area, keys, form: text, publishAhead: 1, timeZone: null }
  return {
    oauthClients: clientsPage(
      { area, found: { clients: [client, server], pagination }, search: { q: text }, mayAdd: true, now: times.now },
      page,
    ),
    chooseOAuthClient: chooseClientPage(
      { area, typed, applications: [application], accounts: [account], isIncomplete: true },
      page,
    ),
    newOAuthClient: newClientPage(
      {
        ...{ area, typed, choice: { type: 'machine', application, account }, resources, declared },
        ...{ ...choices, form: text, rejection },
      },
      page,
    ),
    newWebClient: newClientPage(
      {
        ...{ area, choice: { type: 'web', application }, resources, declared, ...choices, form: text },
        ...{ typed: { ...typed, redirect_uris: text, post_logout_uris: text, backchannel_uri: text } },
        rejection: {
          code: 'OAUTH_REDIRECT_INVALID',
          error: text,
          details: [{ field: 'redirect_uris', message: text }],
        },
      },
      page,
    ),
    clientGrants: clientGrantsPage({ ...given, found: { grants: [grant], pagination } }, page),
    clientGrantsNone: clientGrantsPage({ ...given, found: { grants: [], pagination }, rejection }, page),
    webClient: clientPage({ ...one, client: web }, page),
    spaClient: clientPage({ ...one, client: spa }, page),
    spaClientSettings: clientSecretsPage({ ...secrets, client: spa, done: 'created' }, page),
    oauthClient: clientPage({ ...one, done: 'changed' }, page),
    oauthClientRejected: clientPage({ ...one, typed, rejection }, page),
    oauthResourceServer: clientPage({ ...one, client: server, mayChange: false }, page),
    oauthClientSecrets: clientSecretsPage({ ...secrets, secret: text, done: 'created' }, page),
    oauthServerSecrets: clientSecretsPage({ ...secrets, client: server, mayChange: false, rejection }, page),
    oauthClientTest: clientTestPage({ ...test, rejection }, page),
    oauthClientTestFailed: clientTestPage({ ...test, result: { outcome: 'failed', steps, token: null } }, page),
    oauthClientTestPassed: clientTestPage(
      {
        ...test,
        result: {
          ...{ outcome: 'passed', steps: [] },
          token: { format: 'jwt', header: { alg: text, kid: text, typ: text }, claims: { aud: text } },
        },
      },
      page,
    ),
    oauthClientRejections: clientRejectionsPage({ area, client, resources, rejections, timeZone: null }, page),
    oauthNoRejections: clientRejectionsPage({ area, client, resources, rejections: [], timeZone: null }, page),
    deleteOAuthClient: confirmDeedPage(
      { area, about: 'clients', deed: 'delete', name: text, path: '/admin/oauth/clients/x', form: text, rejection },
      page,
    ),
    oauthApis: resourcesPage({ area, resources, declared, mayAdd: true }, page),
    noOAuthApis: resourcesPage({ area, resources: [], declared, mayAdd: false, done: 'deleted' }, page),
    newOAuthApi: newResourcePage({ area, applications: [application], defaults, form: text, typed, rejection }, page),
    oauthApi: resourcePage({ ...api, done: 'created' }, page),
    oauthApiRejected: resourcePage({ ...api, servers: [], typed, rejection }, page),
    signingKeys: signingKeysPage({ ...signing, rejection }, page),
    noSigningKeys: signingKeysPage({ ...signing, keys: [], done: 'replaced' }, page),
    compromisedKeys: compromisedKeysPage({ area, keys, form: text, alg: text, rejection }, page),
  }
}
