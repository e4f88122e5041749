import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { firstAccess, printSample } from '../../../src/modules/oauth/samples/print-sample.ts'
import { eventually } from '../../support/eventually.ts'
import { answers } from '../../support/examples.ts'
import { findProgram } from '../../support/find-program.ts'
import { freePort } from '../../support/free-port.ts'
import { findAuthlib, findGoOidc, goSources, noAuthlib, noGoOidc } from '../../support/languages.ts'
import { findModOauth2, noModOauth2, startApache } from '../../support/proxies.ts'
import { openScratch } from '../../support/scratch.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { type LiveService, startLiveService } from './live.ts'
import { type MachineSetup, type MadeClient, machineSetup, postForm, tokenOf } from './support.ts'

// The settings that `oauth client-show --settings` prints are run as they are.

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

interface Running {
  stop(): Promise<void>
}
interface Language {
  skip: string | false
  file: string
  /** The command, after a build if there is one. */
  prepare(directory: string): Promise<[command: string, args: string[]]>
  /** What the installed packages need to be different. */
  adapt?(text: string): string
}

const languages: Record<string, Language> = {
  node: {
    skip: false,
    file: 'main.mjs',
    async prepare(directory) {
      await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
      return [process.execPath, ['main.mjs']]
    },
  },
  python: {
    skip: findAuthlib() ? false : noAuthlib,
    file: 'main.py',
    prepare: async () => [findAuthlib() ?? '', ['main.py']],
  },
  go: {
    skip: findGoOidc() ? false : noGoOidc,
    file: 'main.go',
    async prepare(directory) {
      const { PATH, HOME } = process.env
      const env = { PATH, HOME, GO111MODULE: 'off', GOPATH: goSources }
      await run(findGoOidc() ?? '', ['build', '-o', 'main', 'main.go'], { cwd: directory, env })
      return [join(directory, 'main'), []]
    },
    // Debian has the second version, whose interface is the same.
    adapt: (text) => text.replace('coreos/go-oidc/v3/oidc"', 'coreos/go-oidc"'),
  },
  curl: {
    skip: findProgram(['curl']) ? false : 'no curl found',
    file: 'main.sh',
    prepare: async () => ['/bin/sh', ['main.sh']],
  },
}

let service: LiveService
/** Behind Apache. Answers as the other samples do. */
const application = createServer(({ headers }, reply) =>
  reply.end(
    JSON.stringify({ client: headers.oauth2_claim_client_id, scopes: `${headers.oauth2_claim_scope}`.split(' ') }),
  ),
).listen(0, '127.0.0.1')
before(async () => {
  service = await startLiveService()
})
after(async () => {
  application.close()
  application.closeAllConnections()
  await service.app.stop()
})

const sampleFor = (client: MadeClient, name: string) => printSample(service.app.ctx, client.clientId, name)
const envOf = ({ secret }: MadeClient) => ({ PATH: process.env.PATH ?? '', CLIENT_SECRET: secret })

async function written(name: string, client: MadeClient, directory: string) {
  const { file, adapt = (text: string) => text, prepare } = languages[name]!
  const text = await sampleFor(client, name)
  assert.ok(!text.includes(client.secret))
  await writeFile(join(directory, file), adapt(text))
  return prepare(directory)
}

interface Api {
  setup: MachineSetup
  start(): Promise<Running>
}

/** An API at its own identifier, whose tokens have this format. */
async function makeApi(name: string, format: string): Promise<Api & { ask(token?: string): Promise<Response> }> {
  const port = await freePort()
  const identifier = `http://127.0.0.1:${port}/`
  const setup = await machineSetup(service.admin, { identifier, token_format: format })
  const { port: behind } = application.address() as AddressInfo
  const proxy = `ProxyPass "/" "http://127.0.0.1:${behind}/"\n`
  const start = async () => {
    if (name === 'apache') {
      const text = await sampleFor(setup.server, name)
      return startApache(port, () => proxy + text, envOf(setup.server), ['authn_core', 'oauth2'])
    }
    const scratch = await openScratch(name)
    const [command, args] = await written(name, setup.server, scratch.directory)
    const env = { ...envOf(setup.server), PORT: String(port) }
    const program = await scratch.start(command, args, { cwd: scratch.directory, env })
    await program.until(() => answers(identifier))
    return { stop: () => scratch.close() }
  }
  const ask = (token?: string) =>
    fetch(identifier, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  return { setup, start, ask }
}

const servers = ['apache', 'go', 'node', 'python'] as const
const skipOf = (name: string) => (name === 'apache' ? !findModOauth2() && noModOauth2 : languages[name]!.skip)

/** Any status that lets nobody in, and does not come from a failure. */
const isRejected = async (reply: Promise<Response>) => [401, 403].includes((await reply).status)
const isAccepted = async (reply: Promise<Response>, { machine, application: { read, write } }: MachineSetup) => {
  const got = await reply
  if (got.status !== 200) return false
  assert.deepEqual(await got.json(), { client: machine.clientId, scopes: [read, write] })
  return true
}

for (const name of servers)
  describe(`the settings for ${name}`, { skip: skipOf(name) }, () => {
    test('accept opaque tokens for the API until they are revoked', async (t) => {
      const { setup, start, ask } = await makeApi(name, 'opaque')
      const program = await start()
      t.after(() => program.stop())
      const token = await tokenOf(service.app, setup.machine)
      assert.ok(await isAccepted(ask(token), setup))
      const other = await machineSetup(service.admin, { token_format: 'opaque' })
      for (const wrong of [undefined, 'x', `${token}x`, await tokenOf(service.app, other.machine)])
        assert.ok(await isRejected(ask(wrong)))
      const parameters = { token, client_id: setup.machine.clientId, client_secret: setup.machine.secret }
      await postForm(service.app, '/oauth/revoke', parameters)
      await eventually(() => isRejected(ask(token)))
    })
  })

test('all settings accept JWTs across a planned rotation, and none of a removed key after a restart', async (t) => {
  const usable = servers.filter((name) => !skipOf(name))
  const apis = await Promise.all(usable.map((name) => makeApi(name, 'jwt')))
  const other = await machineSetup(service.admin)
  const each = async (check: (api: (typeof apis)[number], name: string, at: number) => Promise<unknown>) => {
    for (const [at, api] of apis.entries()) await check(api, usable[at] ?? '', at)
  }
  const tokens = () => Promise.all(apis.map(({ setup }) => tokenOf(service.app, setup.machine)))
  await tokens()
  const programs: Running[] = []
  t.after(() => Promise.all(programs.map((program) => program.stop())))
  await each(async ({ start }) => programs.push(await start()))

  let before: string[] = []
  await service.rotate(async () => {
    before = await tokens()
    const elsewhere = await tokenOf(service.app, other.machine)
    await each(async ({ ask, setup }, name, at) => {
      const [head = '', body = '', signature = ''] = before[at]?.split('.') ?? []
      assert.ok(await isAccepted(ask(before[at]), setup), name)
      const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${body}.`
      const forged = [head, body, signature.split('').reverse().join('')].join('.')
      for (const wrong of [undefined, 'x', elsewhere, unsigned, forged]) assert.ok(await isRejected(ask(wrong)), name)
    })
  })
  const after = await tokens()
  await each(async ({ ask, setup }, name, at) => {
    for (const token of [before[at], after[at]]) assert.ok(await isAccepted(ask(token), setup), name)
  })

  await service.replaceCompromised()
  await Promise.all(programs.splice(0).map((program) => program.stop()))
  const latest = await tokens()
  await each(async ({ start, ask, setup }, name, at) => {
    programs.push(await start())
    assert.ok(await isAccepted(ask(latest[at]), setup), name)
    for (const token of [before[at], after[at]]) assert.ok(await isRejected(ask(token)), name)
  })
})

for (const name of ['curl', 'go', 'node', 'python'])
  test(`the settings of a machine for ${name} call the API with a token`, {
    skip: languages[name]?.skip,
  }, async (t) => {
    const { setup, start } = await makeApi('node', 'opaque')
    const api = await start()
    t.after(() => api.stop())
    const directory = temporaryDirectory(name)
    const [command, args] = await written(name, setup.machine, directory)
    const { stdout } = await run(command, args, { cwd: directory, env: envOf(setup.machine) })
    const { read, write } = setup.application
    assert.deepEqual(JSON.parse(stdout), { client: setup.machine.clientId, scopes: [read, write] })
  })

test('only the settings for the type of a client are printed', async () => {
  const { machine, server } = await machineSetup(service.admin)
  for (const [client, name] of [
    [machine, 'apache'],
    [server, 'curl'],
    [server, 'constructor'],
  ] as const)
    await assert.rejects(sampleFor(client, name), /--settings must be one of (?!.*constructor)/)
  for (const client of [machine, server]) {
    const text = await sampleFor(client, 'spring')
    assert.ok(text.includes(`client-id: "${client.clientId}"`) && !text.includes(client.secret))
  }
})

test('the programs verify JWTs with the algorithm of the API', async () => {
  const { server } = await machineSetup(service.admin, { alg: 'EdDSA' })
  for (const name of ['go', 'node', 'python']) assert.match(await sampleFor(server, name), /\["EdDSA"\]|\{"EdDSA"\}/)
  assert.match(await sampleFor(server, 'apache'), /OAuth2TokenVerify introspect /, 'which has no EdDSA')
})

test('the settings ask only for the scopes of the first API', () => {
  const apis = [
    { id: 'billing', scopes: ['invoices:read'] },
    { id: 'shop', scopes: ['orders:read'] },
  ]
  const client = { scopes: ['invoices:read', 'orders:read'], resources: ['shop', 'billing'] }
  assert.deepEqual(firstAccess(client, apis), { resource: apis[1], scope: 'orders:read' })
  assert.equal(firstAccess({ ...client, resources: [] }, apis).scope, 'invoices:read orders:read')
})
