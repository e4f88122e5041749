import { declaringApplication } from '../../roles/support.ts'
import { type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'
import { createAccount, keyEnv } from '../api-keys/support.ts'

export const oauthEnv = {
  ...keyEnv,
  RATE_LIMIT_OAUTH_CLIENT_FAIL: '10000/1h',
  RATE_LIMIT_BRIDGE_FAIL: '10000/1h',
  REAUTH_WINDOW: '12h',
}
export const oauthModules = ['api-keys', 'oauth']

export const clientsPath = '/auth/admin/oauth/clients'
export const resourcesPath = '/auth/admin/oauth/resources'

export interface MadeClient {
  clientId: string
  secret: string
}

let count = 0

/** A superadmin who creates what machines need. */
export async function oauthAdmin(app: TestApp, by?: SignedIn) {
  const root = by ?? (await signedInAs(app, 'superadmin'))
  const call = (method: string, url: string, body?: unknown) =>
    app.call(method, url, { body, ...withSession(root.sessionToken) })
  const done = async (method: string, url: string, body?: unknown) => {
    const reply = await call(method, url, body)
    if (reply.status !== 200) throw new Error(`${method} ${url}: ${reply.text}`)
    return reply.json
  }
  return {
    root,
    call,
    /** An application with the permissions `<key>:read` and `<key>:write`. */
    async application(key = `app${++count}`) {
      const declared = await declaringApplication(app, key, { permissions: [`${key}:read`, `${key}:write`] })
      return { ...declared, read: `${key}:read`, write: `${key}:write` }
    },
    async resource(applicationId: string, more: object = {}): Promise<{ id: string; identifier: string }> {
      const identifier = `https://api${++count}.example.com`
      return (await done('POST', resourcesPath, { application_id: applicationId, identifier, ...more })).data
    },
    account: (scopes: readonly string[]) => createAccount(app, root, [root], { scopes }),
    async client(body: object): Promise<MadeClient> {
      const { data, client_secret } = await done('POST', clientsPath, body)
      return { clientId: data.client_id, secret: client_secret }
    },
    update: (clientId: string, body: object) => done('PUT', `${clientsPath}/${clientId}`, body),
  }
}

export type OAuthAdmin = Awaited<ReturnType<typeof oauthAdmin>>

/** An application, its API, a machine that gets tokens for it, and the API's own client. */
export async function machineSetup(
  admin: OAuthAdmin,
  resource: object = {},
  given?: Awaited<ReturnType<OAuthAdmin['application']>>,
) {
  const application = given ?? (await admin.application())
  const scopes = [application.read, application.write]
  const api = await admin.resource(application.id, resource)
  const account = await admin.account(scopes)
  const terms = { application_id: application.id, resources: [api.id] }
  const machine = await admin.client({ ...terms, type: 'machine', service_account_id: account.id, scopes })
  const server = await admin.client({ ...terms, type: 'resource_server', name: 'API' })
  return { application, api, account, machine, server }
}

export type MachineSetup = Awaited<ReturnType<typeof machineSetup>>

export const basic = ({ clientId, secret }: MadeClient) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
})

type Parameters = Readonly<Record<string, string>>

/** A form as OAuth clients send it. */
export const postForm = (
  app: TestApp,
  url: string,
  parameters: Parameters | string,
  headers: Parameters = {},
): Promise<Reply> =>
  app.call('POST', url, {
    body: typeof parameters === 'string' ? parameters : new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

export const askToken = (app: TestApp, client: MadeClient, parameters: Parameters = {}): Promise<Reply> =>
  postForm(app, '/oauth/token', { grant_type: 'client_credentials', ...parameters }, basic(client))

export async function tokenOf(app: TestApp, client: MadeClient, parameters: Parameters = {}): Promise<string> {
  const reply = await askToken(app, client, parameters)
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.json.access_token
}
