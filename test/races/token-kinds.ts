import assert from 'node:assert/strict'
import { basic, clientsPath, type MachineSetup, postForm, resourcesPath } from '../modules/oauth/support.ts'
import type { TokenNode } from './token-nodes.ts'

/** A change that ends tokens, or that takes a scope from them. */
export interface RevocationKind {
  name: string
  change(node: TokenNode, setup: MachineSetup, tokens: readonly string[]): Promise<unknown>
  undo?(node: TokenNode, setup: MachineSetup): Promise<unknown>
  /** Whether the client loses a scope only. */
  isOfScope?: true
  /** What becomes of tokens that are issued after the change. By default, they are rejected as well. */
  later?: 'valid'
  /** Whether it concerns JWTs only. */
  isOfJwts?: true
  /** Whether it concerns all that belongs to the application. */
  isOfApplication?: true
}

const done = async ({ admin }: TokenNode, method: string, url: string, body?: object): Promise<void> => {
  const { status, text } = await admin.call(method, url, body)
  assert.equal(status, 200, `${method} ${url}: ${text}`)
}
const update = (node: TokenNode, { machine }: MachineSetup, body: object) =>
  done(node, 'PUT', `${clientsPath}/${machine.clientId}`, body)
const accountPath = ({ account }: MachineSetup) => `/auth/admin/service-accounts/${account.id}`
const both = ({ application }: MachineSetup) => [application.read, application.write]

export const kinds: readonly RevocationKind[] = [
  {
    name: 'a client is disabled',
    change: (node, setup) => update(node, setup, { enabled: false }),
    undo: (node, setup) => update(node, setup, { enabled: true }),
  },
  {
    name: 'a service account is disabled',
    change: (node, setup) => done(node, 'PUT', accountPath(setup), { enabled: false }),
    undo: (node, setup) => done(node, 'PUT', accountPath(setup), { enabled: true }),
  },
  {
    name: 'a scope is taken from a client',
    isOfScope: true,
    change: (node, setup) => update(node, setup, { scopes: [setup.application.read] }),
    undo: (node, setup) => update(node, setup, { scopes: both(setup) }),
  },
  {
    name: 'a signing key is removed',
    later: 'valid',
    isOfJwts: true,
    change: (node) => done(node, 'POST', '/auth/admin/oauth/keys/rotate', { alg: 'ES256', compromised: true }),
  },
  {
    name: 'a resource is disabled',
    change: (node, { api }) => done(node, 'PUT', `${resourcesPath}/${api.id}`, { enabled: false }),
    undo: (node, { api }) => done(node, 'PUT', `${resourcesPath}/${api.id}`, { enabled: true }),
  },
  {
    name: 'a secret is removed',
    async change(node, { machine }) {
      const secrets = `${clientsPath}/${machine.clientId}`
      const [secret] = (await node.admin.call('GET', secrets)).json.data.secrets
      await done(node, 'DELETE', `${secrets}/secrets/${secret.id}`)
    },
  },
  {
    name: 'a client is deleted',
    change: (node, { machine }) => done(node, 'DELETE', `${clientsPath}/${machine.clientId}`),
  },
  {
    name: 'a resource is taken from a client',
    change: (node, setup) => update(node, setup, { resources: [] }),
    undo: (node, setup) => update(node, setup, { resources: [setup.api.id] }),
  },
  {
    name: 'a scope is taken from a service account',
    isOfScope: true,
    change: (node, setup) => done(node, 'PUT', accountPath(setup), { scopes: [setup.application.read] }),
    undo: (node, setup) => done(node, 'PUT', accountPath(setup), { scopes: both(setup) }),
  },
  {
    name: 'a service account is deleted',
    change: (node, setup) => done(node, 'DELETE', accountPath(setup)),
  },
  {
    name: 'a resource is deleted',
    change: (node, { api }) => done(node, 'DELETE', `${resourcesPath}/${api.id}`),
  },
  {
    name: 'an application is disabled',
    isOfApplication: true,
    change: (node, { application }) => done(node, 'POST', `/auth/admin/applications/${application.id}/disable`),
    undo: (node, { application }) => done(node, 'POST', `/auth/admin/applications/${application.id}/enable`),
  },
  {
    name: 'tokens are revoked one by one',
    later: 'valid',
    change: ({ app }, { machine }, tokens) =>
      Promise.all(tokens.map((token) => postForm(app, '/oauth/revoke', { token }, basic(machine)))),
  },
]
