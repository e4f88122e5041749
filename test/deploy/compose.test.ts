import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { assertStarts, folder, readYaml, writeSecrets } from './support.ts'

interface Service {
  image: string
  user?: string
  environment: Record<string, string>
  secrets?: string[]
  ports?: string[]
  read_only: boolean
  mem_limit: string
  cap_drop: string[]
  security_opt: string[]
  restart: string
  privileged?: boolean
  healthcheck: { test: string[] }
  networks: string[] | Record<string, { ipv4_address: string }>
  volumes?: string[]
  command?: string[]
  depends_on?: Record<string, { condition: string }>
}
interface Compose {
  services: Record<'wardenry' | 'postgres' | 'valkey' | 'caddy', Service>
  secrets: Record<string, { file: string }>
  networks: Record<string, { internal?: boolean } | null>
  volumes: Record<string, null>
}

const compose = readYaml<Compose>('compose.yaml')
const mail = readYaml<{
  services: { wardenry: Pick<Service, 'environment' | 'secrets'> }
  secrets: Compose['secrets']
}>('compose.mail.yaml')
const services = Object.entries(compose.services)
const script = fileURLToPath(new URL('create-secrets.sh', folder))
const userOfImage = /^USER (\d+)/m.exec(readFileSync(new URL('../Containerfile', folder), 'utf8'))?.[1] ?? ''
const needsRoot = {
  skip: process.getuid?.() !== 0 && 'skipped: files get the users of the containers, which needs root',
}

/** The service's settings in its container if the operator sets these variables. */
function settingsOf(environment: Record<string, string>): Record<string, string> {
  const given: Record<string, string> = { DOMAIN: 'id.example.com', MAIL_FROM: '' }
  const entries = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => given[variable] ?? assert.fail(variable)),
  ])
  return { NODE_ENV: 'production', ...Object.fromEntries(entries) }
}

test('the services of compose.yaml run with the least rights, are checked and restarted', () => {
  for (const [name, service] of services) {
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.match(service.mem_limit, /^\d+[mg]$/, name)
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    assert.equal(service.restart, 'unless-stopped', name)
    assert.ok(service.healthcheck.test.length > 1, name)
    assert.equal(service.privileged, undefined, name)
    assert.ok(!service.image.endsWith(':latest'), name)
  }
  assert.deepEqual(compose.services.wardenry.healthcheck.test, ['CMD', 'wardenry', 'health'])
})

test('only the proxy of compose.yaml has ports, and only the service reaches database and cache', () => {
  assert.deepEqual(
    services.filter(([, { ports }]) => ports).map(([name]) => name),
    ['caddy'],
  )
  assert.equal(compose.networks.servers?.internal, true)
  const { wardenry, postgres, valkey, caddy } = compose.services
  assert.deepEqual([postgres.networks, valkey.networks], [['servers'], ['servers']])
  assert.ok(!Array.isArray(caddy.networks))
  assert.deepEqual(Object.keys(caddy.networks), ['edge'])
  assert.equal(wardenry.environment.TRUSTED_PROXIES, caddy.networks.edge?.ipv4_address)
})

test('every secret of compose.yaml is declared, and none is in an environment or an argument', () => {
  for (const [name, { environment = {}, secrets = [], command = [] }] of services) {
    for (const secret of secrets) assert.ok(compose.secrets[secret], `${name}: ${secret}`)
    const mentioned = [...Object.values(environment), ...command].flatMap(
      (value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? [],
    )
    assert.deepEqual(mentioned.toSorted(), secrets.toSorted(), name)
    for (const [variable, value] of Object.entries(environment))
      assert.ok(!/PASSWORD|SECRET|TOKEN|KEYS|_URL_/.test(variable) || value.startsWith('/run/secrets/'), variable)
  }
})

test('the service starts with the settings of compose.yaml and the secrets of create-secrets.sh', needsRoot, () => {
  const directory = join(temporaryDirectory('compose'), 'secrets')
  const made = spawnSync(script, [directory], { encoding: 'utf8' })
  assert.equal(made.status, 0, made.stderr)
  const paths = Object.values(compose.secrets).map(({ file }) => file)
  assert.deepEqual(readdirSync(directory).sort(), paths.map((path) => path.replace('./secrets/', '')).sort())
  assertStarts(settingsOf(compose.services.wardenry.environment), '/run/secrets', directory)
  const contents = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))
  assert.doesNotMatch(made.stdout, new RegExp(contents.map((text) => RegExp.escape(text.trim())).join('|')))
  for (const [name, { secrets = [], user }] of services) {
    const uid = Number((user ?? userOfImage).split(':')[0])
    for (const secret of secrets) {
      const { mode, uid: owner } = statSync(join(directory, secret))
      assert.deepEqual([mode & 0o777, owner], [0o600, uid], `${name}: ${secret}`)
    }
  }
  assert.equal(statSync(directory).mode & 0o777, 0o700)
})

test('create-secrets.sh replaces nothing', needsRoot, () => {
  const directory = join(temporaryDirectory('compose'), 'secrets')
  assert.equal(spawnSync(script, [directory]).status, 0)
  const before = readFileSync(join(directory, 'data_keys'), 'utf8')
  const again = spawnSync(script, [directory], { encoding: 'utf8' })
  assert.equal(again.status, 1)
  assert.match(again.stderr, /exists\. .* nothing was written/)
  assert.equal(readFileSync(join(directory, 'data_keys'), 'utf8'), before)
  assert.ok(!existsSync(`${directory}.new`))
})

test('compose.mail.yaml adds the mail server', () => {
  const settings = { ...compose.services.wardenry.environment, ...mail.services.wardenry.environment }
  const names = [...(compose.services.wardenry.secrets ?? []), ...Object.keys(mail.secrets)]
  assert.deepEqual(mail.services.wardenry.secrets, Object.keys(mail.secrets))
  assertStarts(settingsOf(settings), '/run/secrets', writeSecrets(names))
})
