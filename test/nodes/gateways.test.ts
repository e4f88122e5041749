import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { freePort } from '../support/free-port.ts'
import {
  findApache,
  findCaddy,
  findHaproxy,
  findNginx,
  noApache,
  noCaddy,
  noHaproxy,
  noNginx,
  type Proxy as Running,
  startApache,
  startCaddy,
  startHaproxy,
  startNginx,
} from '../support/proxies.ts'
import {
  bridgeSecret,
  call,
  loginAt,
  type Nodes,
  needsPostgres,
  type Registered,
  registerAt,
  startNodes,
} from './nodes.ts'
import { type Answered, startRecordingApp, type Visit, visit } from './recording-app.ts'
import { adapted, sampleAfter, staticSiteSample } from './samples.ts'

type App = Awaited<ReturnType<typeof startRecordingApp>>

interface Gateway {
  name: string
  find: () => string | undefined
  missing: string
  /** Starts the gateway on this port with the documented configuration. */
  start(port: number, wardenry: string, app: string): Promise<Running>
  /**
   * The scheme in the URLs that the gateway passes on. Caddy's sample uses the request's scheme, which is http in this
   * test.
   */
  scheme?: 'http'
  /** The statuses that visitors may get while the service is unavailable. */
  unavailable: number[]
}

const secret = 'YOUR_BRIDGE_SECRET'
const places = (wardenry: string, app: string) => ({ '127.0.0.1:3000': wardenry, '127.0.0.1:8080': app })

const gateways: Gateway[] = [
  {
    name: 'nginx',
    find: findNginx,
    missing: noNginx,
    unavailable: [500],
    start: (port, wardenry, app) =>
      startNginx(port, () =>
        adapted(sampleAfter('## nginx', 'gateways'), {
          ...places(wardenry, app),
          [secret]: bridgeSecret,
          'listen 443 ssl;': `listen 127.0.0.1:${port};`,
          '  ssl_certificate     /etc/ssl/app.example.com.pem;\n': '',
          '  ssl_certificate_key /etc/ssl/app.example.com.key;\n': '',
          // The sample is for https, but this test uses http.
          'X-Original-URL $scheme:': 'X-Original-URL https:',
        }),
      ),
  },
  {
    name: 'Caddy',
    find: findCaddy,
    missing: noCaddy,
    scheme: 'http',
    unavailable: [502],
    start: (port, wardenry, app) =>
      startCaddy(
        port,
        adapted(sampleAfter('## Caddy', 'gateways'), {
          ...places(wardenry, app),
          [secret]: bridgeSecret,
          'app.example.com {': `http://app.example.com:${port} {\n\tbind 127.0.0.1`,
        }),
      ),
  },
  {
    name: 'HAProxy',
    find: findHaproxy,
    missing: noHaproxy,
    unavailable: [503],
    start: (port, wardenry, app) =>
      startHaproxy(port, async (directory) => {
        const script = adapted(sampleAfter('`/etc/haproxy/wardenry.lua`:', 'gateways'), { '127.0.0.1:3000': wardenry })
        await writeFile(`${directory}/wardenry.lua`, script)
        return adapted(sampleAfter('## HAProxy', 'gateways'), {
          '127.0.0.1:8080': app,
          [secret]: bridgeSecret,
          '/etc/haproxy/wardenry.lua': `${directory}/wardenry.lua`,
          'bind :443 ssl crt /etc/haproxy/app.example.com.pem': `bind 127.0.0.1:${port}`,
        })
      }),
  },
  {
    name: 'Apache',
    find: findApache,
    missing: noApache,
    unavailable: [503],
    start: (port, wardenry, app) =>
      startApache(
        port,
        async (directory) => {
          const script = adapted(sampleAfter('`/etc/apache2/wardenry.lua`:', 'gateways'), {
            '127.0.0.1:3000': wardenry,
          })
          await writeFile(`${directory}/wardenry.lua`, script)
          return adapted(sampleAfter('## Apache', 'gateways'), {
            '127.0.0.1:8080': app,
            '*:443': `127.0.0.1:${port}`,
            '/etc/apache2/wardenry.lua': `${directory}/wardenry.lua`,
            '  SSLEngine on\n': '',
            '  SSLCertificateFile    /etc/ssl/app.example.com.pem\n': '',
            '  SSLCertificateKeyFile /etc/ssl/app.example.com.key\n': '',
          })
        },
        { WARDENRY_BRIDGE_SECRET: bridgeSecret },
      ),
  },
]

const page: [string, string][] = [
  ['Accept', 'text/html,application/xhtml+xml'],
  ['Sec-Fetch-Mode', 'navigate'],
]
const cookie = (sessionToken: string): [string, string] => ['Cookie', `theme=dark; session_id=${sessionToken}`]

/** Forged identity headers, spelled in ways that some applications treat as the same header. */
const claims: [string, string][] = [
  'X-Auth-User-Id',
  'x-auth-user-id',
  'X-AUTH-USER-ID',
  'X_Auth_User_Id',
  'X-Auth_User-Id',
  'X-Auth-Email',
  'x_auth_email',
  'X-Auth-Email-Verified',
  'X-Auth-Name',
  'X-Auth-User-Type',
  'X_AUTH_USER_TYPE',
  'X-Auth-Session-Id',
  'X-Auth-Time',
  'X-Auth-Methods',
  'X-Auth-Kind',
  'X-Auth-Scopes',
  'X-Auth-Key-Id',
  'X-Auth-Client-Id',
  'X-Auth-Service-Account-Id',
  'X-Auth-Permissions',
  'X-Bridge-Secret',
  'X_Bridge_Secret',
].map((name) => [name, 'forged'])

for (const { name, find, missing, start, scheme = 'https', unavailable } of gateways) {
  const skip = needsPostgres.skip || (!find() && `skipped: ${missing}`)
  describe(`${name} as documented`, { skip }, () => {
    let nodes: Nodes
    let app: App
    let proxy: Running
    let port: number
    let ada: Registered
    before(async () => {
      nodes = await startNodes(1, {
        PUBLIC_URL: 'https://id.example.com',
        ALLOWED_REDIRECTS: 'https://app.example.com',
        TRUSTED_PROXIES: '127.0.0.1',
      })
      app = await startRecordingApp()
      port = await freePort()
      proxy = await start(port, new URL(nodes.urls[0]!).host, `127.0.0.1:${app.port}`)
      ada = await registerAt(nodes.urls[0]!)
      await nodes.database.query('UPDATE users SET display_name = $1 WHERE id = $2', ['Zoë "Z" Ångström', ada.id])
    })
    after(async () => {
      await proxy?.stop()
      await app?.stop()
      await nodes?.stop()
    })

    /** Sends a visitor's request. Returns the response and the requests that reached the application. */
    const visited = async (one: Visit): Promise<{ answer: Answered; arrived: App['arrived'] }> => {
      const count = app.arrived.length
      const answer = await visit(port, one)
      return { answer, arrived: app.arrived.slice(count) }
    }
    const identityOf = ({ headers }: App['arrived'][number]) =>
      headers.filter(([header]) => /^x.(auth|bridge)/.test(header)).toSorted()

    test('tells the application who is signed in, once and decodable', async () => {
      const { answer, arrived } = await visited({
        path: '/reports?a=1&b=2',
        headers: [...page, cookie(ada.sessionToken)],
      })
      assert.deepEqual([answer.status, answer.text], [200, 'from the application'])
      const identity = identityOf(arrived[0]!)
      assert.deepEqual(
        identity.map(([header]) => header),
        ['email', 'email-verified', 'methods', 'name', 'session-id', 'time', 'user-id', 'user-type'].map(
          (one) => `x-auth-${one}`,
        ),
      )
      const {
        'x-auth-name': display,
        'x-auth-time': time,
        'x-auth-session-id': session,
        ...rest
      } = Object.fromEntries(identity)
      assert.deepEqual(rest, {
        'x-auth-email': ada.email,
        'x-auth-email-verified': 'false',
        'x-auth-methods': 'pwd',
        'x-auth-user-id': ada.id,
        'x-auth-user-type': 'customer',
      })
      assert.equal(decodeURIComponent(display!), 'Zoë "Z" Ångström')
      assert.match(time!, /^\d{4}-\d\d-\d\dT.*Z$/)
      assert.notEqual(session, ada.sessionToken)
      assert.equal(arrived[0]!.url, '/reports?a=1&b=2')
    })

    test('takes the session from Authorization as well, and is not put off by an origin', async () => {
      for (const headers of [
        [['Authorization', `Bearer ${ada.sessionToken}`]],
        [cookie(ada.sessionToken), ['Origin', 'https://app.example.com']],
        [cookie(ada.sessionToken), ['Origin', 'https://evil.example'], ['X-Auth-Redirect', 'true']],
      ] as [string, string][][]) {
        const { answer, arrived } = await visited({ headers })
        assert.equal(answer.status, 200, JSON.stringify(headers))
        assert.equal(Object.fromEntries(arrived[0]!.headers)['x-auth-user-id'], ada.id)
      }
    })

    test('passes nothing on of what a visitor claims to be', async () => {
      const { answer, arrived } = await visited({ headers: [...claims, cookie(ada.sessionToken), ...claims] })
      assert.equal(answer.status, 200)
      const identity = identityOf(arrived[0]!)
      assert.equal(identity.length, 8, JSON.stringify(identity))
      assert.deepEqual(
        identity.filter(([, value]) => value.includes('forged')),
        [],
      )
      const anonymous = await visited({ headers: claims })
      assert.deepEqual([anonymous.answer.status, anonymous.arrived], [401, []])
    })

    test('passes on the address and user agent of the visitor, and no forged address', async () => {
      const elsewhere = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'Firefox' }
      const { json } = await loginAt(nodes.urls[0]!, ada, { headers: elsewhere })
      const headers: [string, string][] = [
        cookie(json.sessionId),
        ['User-Agent', 'curl/8.0'],
        ['X-Forwarded-For', '203.0.113.7'],
      ]
      assert.equal((await visit(port, { headers })).status, 200)
      const events = () =>
        nodes.database.query<{ ip: string; changed: string[] }>(
          "SELECT ip, details->'changed' AS changed FROM audit_events WHERE user_agent = 'curl/8.0'",
        )
      await eventually(async () => (await events()).length > 0)
      assert.deepEqual(await events(), [{ ip: '127.0.0.1', changed: ['ip', 'user_agent'] }])
    })

    test('sends people to the sign-in page and back, and answers scripts 401', async () => {
      const path = '/reports?year=2026&q=a%20b&next=//evil.example'
      const login = `https://id.example.com/login?return_to=${encodeURIComponent(`${scheme}://app.example.com${path}`)}`
      for (const headers of [page, [...page, cookie(`ses_${'A'.repeat(43)}`)]] as [string, string][][]) {
        const { answer, arrived } = await visited({ path, headers })
        assert.deepEqual([answer.status, answer.location, arrived], [302, login, []])
      }
      const scripts: Visit[] = [
        { headers: [['Accept', '*/*']] },
        {
          headers: [
            ['Accept', 'text/html'],
            ['Sec-Fetch-Mode', 'cors'],
          ],
        },
        { method: 'POST', headers: page, body: 'x=1' },
        { method: 'DELETE', headers: page },
      ]
      for (const script of scripts) {
        const { answer, arrived } = await visited(script)
        assert.deepEqual([answer.status, answer.location, arrived], [401, undefined, []], JSON.stringify(script))
      }
    })

    test('passes on every method and body whole', async () => {
      const body = `--x\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n${'body '.repeat(40_000)}\r\n--x--\r\n`
      const sent: (Visit & { method: string })[] = [
        { method: 'POST', headers: [['Content-Type', 'multipart/form-data; boundary=x']], body },
        { method: 'PUT', headers: [['Content-Type', 'application/json']], body: '{"not":"ours' },
        {
          method: 'PATCH',
          headers: [
            ['Content-Type', 'text/csv'],
            ['Content-Encoding', 'gzip'],
          ],
          body: 'no gzip',
        },
        { method: 'DELETE' },
      ]
      for (const one of sent) {
        const { answer, arrived } = await visited({
          ...one,
          headers: [...(one.headers ?? []), cookie(ada.sessionToken)],
        })
        assert.equal(answer.status, 200, one.method)
        assert.deepEqual(
          [arrived[0]!.method, arrived[0]!.body.length, arrived[0]!.body],
          [one.method, one.body?.length ?? 0, one.body ?? ''],
        )
      }
    })

    test('lets nobody in within a second of the sign-out', async () => {
      const grace = await registerAt(nodes.urls[0]!, 'grace')
      const headers: [string, string][] = [cookie(grace.sessionToken)]
      assert.equal((await visit(port, { headers })).status, 200)
      await call(`${nodes.urls[0]}/auth/logout`, { method: 'POST', headers: { 'x-session-id': grace.sessionToken } })
      await fixedWait(1_000, 'a sign-out takes effect within a second')
      const { answer, arrived } = await visited({ headers })
      assert.deepEqual([answer.status, arrived], [401, []])
    })

    test('refuses an impersonated session with 403', async () => {
      const url = nodes.urls[0]!
      const root = await registerAt(url, 'grace')
      await nodes.database.query("UPDATE users SET user_type = 'superadmin' WHERE id = $1", [root.id])
      const signedIn = await loginAt(url, root)
      const started = await call(`${url}/auth/admin/users/${ada.id}/impersonate`, {
        headers: { 'x-session-id': signedIn.json.sessionId },
        body: { reason: 'A test' },
      })
      assert.equal(started.status, 200)
      const { answer, arrived } = await visited({ headers: [...page, cookie(started.json.sessionId)] })
      assert.deepEqual([answer.status, arrived], [403, []])
    })

    test('lets nobody in while the service cannot be asked', async () => {
      await nodes.services[0]!.stop()
      for (const headers of [[...page, cookie(ada.sessionToken)], page] as [string, string][][]) {
        const { answer, arrived } = await visited({ headers })
        assert.ok(unavailable.includes(answer.status), `${answer.status}`)
        assert.deepEqual(arrived, [])
      }
    })
  })
}

const noStaticSite = needsPostgres.skip || (!findNginx() && `skipped: ${noNginx}`)
test('nginx in front of a static site on one machine, as documented', { skip: noStaticSite }, async (t) => {
  const port = await freePort()
  const site = `http://localhost:${port}`
  const nodes = await startNodes(1, { PUBLIC_URL: 'http://localhost:3000', ALLOWED_REDIRECTS: site })
  t.after(() => nodes.stop())
  const files = await mkdtemp(join(tmpdir(), 'wardenry-site-'))
  t.after(() => rm(files, { recursive: true }))
  await writeFile(`${files}/index.html`, 'from the file')
  const proxy = await startNginx(port, () =>
    adapted(staticSiteSample(), {
      '127.0.0.1:3000': new URL(nodes.urls[0]!).host,
      '127.0.0.1:4000': `127.0.0.1:${port}`,
      [secret]: bridgeSecret,
      '/srv/app': files,
    }),
  )
  t.after(() => proxy.stop())
  const ada = await registerAt(nodes.urls[0]!)
  /** Uses node:http because `fetch` sends a Sec-Fetch-Mode header that identifies a script. */
  const ask = async (headers: Record<string, string>) => {
    const asked = request(`${site}/?a=1`, { headers, agent: false }).end()
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: reply.statusCode, headers: reply.headers, text: Buffer.concat(await reply.toArray()).toString() }
  }
  const signedIn = await ask({ cookie: `session_id=${ada.sessionToken}` })
  assert.deepEqual([signedIn.status, signedIn.text], [200, 'from the file'])
  assert.equal(signedIn.headers['cache-control'], 'private, no-cache')
  const sent = await ask(Object.fromEntries(page))
  assert.equal(sent.status, 302)
  const returnTo = new URL(sent.headers.location!).searchParams.get('return_to')
  assert.equal(returnTo, `${site}/?a=1`, 'with its port')
  assert.equal((await ask({ accept: '*/*' })).status, 401)
})
