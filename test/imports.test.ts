import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { circlesOf } from '../scripts/import-circles.ts'

// A folder may import only from folders before it in this list. A file directly in src counts as a folder.
const order =
  `lib config adapters db context http outbox events audit users one-time-tokens sessions credentials ui handover hooks registration webauthn sign-in-methods passwordless passwords
  email-addresses passkeys pictures profile social auth admin roles applications messages import stored-settings hub jobs webhooks screens modules create-context backup create-http
  app cli`.split(/\s+/)

// `use` matches the files that may import a package. Files that match `types` may import only its types.
const packages: Record<string, { use: RegExp; types?: RegExp }> = {
  '@electric-sql/pglite': { use: /^db\/embedded/ },
  '@fastify/swagger': { use: /^http\// },
  '@node-rs/argon2': { use: /^passwords\/(hash|imported\/slow)\.ts$/ },
  '@node-rs/bcrypt': { use: /^passwords\/imported\/bcrypt\.ts$/ },
  '@opentelemetry/api': { use: /^adapters\/tracing\// },
  '@opentelemetry/exporter-metrics-otlp-http': { use: /^adapters\/tracing\// },
  '@opentelemetry/exporter-metrics-otlp-proto': { use: /^adapters\/tracing\// },
  '@opentelemetry/exporter-trace-otlp-http': { use: /^adapters\/tracing\// },
  '@opentelemetry/exporter-trace-otlp-proto': { use: /^adapters\/tracing\// },
  '@opentelemetry/resources': { use: /^adapters\/tracing\// },
  '@opentelemetry/sdk-metrics': { use: /^adapters\/tracing\// },
  '@opentelemetry/sdk-trace': { use: /^adapters\/tracing\// },
  '@prometheus-io/client': { use: /^adapters\/metrics\// },
  '@sindresorhus/slugify': { use: /^modules\/blog\/slugs\.ts$/ },
  '@simplewebauthn/server': { use: /^webauthn\// },
  '@zxcvbn-ts/language-common': { use: /^passwords\/policy\.ts$/ },
  'any-ascii': { use: /^modules\/blog\/slugs\.ts$/ },
  bowser: { use: /^http\/access\/device\.ts$/ },
  citty: { use: /^cli\// },
  eta: { use: /^(ui|outbox|screens\/console\/messages)\// },
  'fast-json-stringify': { use: /^http\/parsing\/validation\.ts$/ },
  fastify: { use: /^http\//, types: /./ },
  jose: { use: /^social\// },
  kysely: { use: /^db\/|\b(queries|toolkit)\.ts$/, types: /^context\/|\b(rows|post-type-provider)\.ts$/ },
  'libphonenumber-js': { use: /^(lib|users)\// },
  otpauth: { use: /^modules\/two-factor\/methods\/totp\.ts$/ },
  nodemailer: { use: /^adapters\/mail\/smtp\.ts$/ },
  'openid-client': { use: /^social\// },
  pg: { use: /^db\// },
  'pg-boss': { use: /^jobs\// },
  pino: { use: /^lib\/log\.ts$/ },
  redis: { use: /^adapters\// },
  s3mini: { use: /^adapters\/files\/s3\.ts$/ },
  'rehype-raw': { use: /^modules\/blog\/render-worker\.ts$/ },
  'rehype-sanitize': { use: /^modules\/blog\/render-worker\.ts$/ },
  'rehype-stringify': { use: /^modules\/blog\/render-worker\.ts$/ },
  'remark-gfm': { use: /^modules\/blog\/render-worker\.ts$/ },
  'remark-parse': { use: /^modules\/blog\/render-worker\.ts$/ },
  'remark-rehype': { use: /^modules\/blog\/render-worker\.ts$/ },
  unified: { use: /^modules\/blog\/render-worker\.ts$/ },
  sax: { use: /^(modules\/blog\/transfer\/read-xml|config\/svg\/plain-svg)\.ts$/ },
  sharp: { use: /^pictures\/encode-process\.ts$/ },
  tldts: { use: /^config\/registrable-domain\.ts$/ },
  uqr: { use: /^modules\/two-factor\/methods\/totp\.ts$/ },
  typebox: {
    use: /^(config|http)\/|\b(schemas|settings|toolkit)\.ts$|^import\/record\.ts$/,
    types: /^ui\/shared\/api-route\.ts$/,
  },
}

// Exceptions from the rules, each with a reason.
const exceptions: { from: string; to: string; because: string }[] = []

/** Paths are relative to src. `to` is a path or a package name. */
interface Import {
  from: string
  to: string
  isPackage: boolean
  isTypeOnly: boolean
}

/** Each rule returns the import's violation, or false. */
const rules: ((given: Import, all: Import[]) => string | false)[] = [
  ({ from, to, isPackage }) => !isPackage && rank(to) > rank(from) && 'imports point one way',
  ({ from, to, isPackage, isTypeOnly }) => {
    const allowed = packages[to]
    if (!isPackage || allowed?.use.test(from)) return false
    return !(isTypeOnly && allowed?.types?.test(from)) && 'this package is not to be used here'
  },
  ({ from, to }) => {
    const [mine, other] = [moduleOf(from), moduleOf(to)]
    return !!mine && !!other && mine !== other && !dependsOn(mine, other) && 'a module imports no other module'
  },
  ({ from, to }, all) => isBackend(from, all) && isBackend(to, all) && 'a backend imports no other backend',
  ({ from, to }, all) => from.endsWith('/port.ts') && isBackend(to, all) && 'a port imports no backend',
  ({ from, to }) =>
    /\broutes\.ts$/.test(to) &&
    !/^create-http\.ts$|\/manifest\.ts$/.test(from) &&
    ![dirname(to), dirname(dirname(to))].some((folder) => from === join(folder, 'routes.ts')) &&
    'routes are for create-http.ts, manifests, and the routes.ts of their folder or the one above',
  ({ from, to, isTypeOnly }) =>
    /\bqueries\.ts$/.test(from) &&
    dirname(from) === dirname(to) &&
    !isTypeOnly &&
    !/\b(columns|queries)\.ts$/.test(to) &&
    'queries import no use case of their folder',
  ({ from, to }) => to === 'app.ts' && !/^cli\b/.test(from) && 'the application is for the command line only',
]

test('every import of src follows the direction and the rules of the architecture', () => {
  const isExcused = ({ from, to }: Import) => exceptions.some((entry) => entry.from === from && entry.to === to)
  const found = problems(readSources())
  assert.deepEqual(
    found.filter((problem) => !isExcused(problem)).map(({ from, to, problem }) => `${from} → ${to}: ${problem}`),
    [],
  )
  const needed = exceptions.filter(({ from, to }) =>
    found.some((problem) => problem.from === from && problem.to === to),
  )
  assert.deepEqual(exceptions, needed)
})

// The types of these files refer to each other. Each entry is a circle.
const typeCircles = [
  [
    'config/check.ts',
    'config/cookie-domain.ts',
    'config/load.ts',
    'config/passkeys.ts',
    'config/profile-fields.ts',
    'config/settings.ts',
  ],
  ['context.ts', 'context/modules.ts', 'context/second-factor.ts'],
  ['modules/blog/lists/condition-queries.ts', 'modules/blog/lists/read-filters.ts', 'modules/blog/lists/schemas.ts'],
  ['sessions/create-session.ts', 'sessions/remembered-browsers.ts'],
]

test('no files import each other in a circle, not even types, but for the circles named here', () => {
  const sources = readSources()
  const imports = Map.groupBy(allImports(sources), ({ from }) => from)
  const found = circlesOf(new Map([...imports].map(([from, all]) => [from, all.map(({ to }) => to)])))
  const isNamed = (circle: string[]) => typeCircles.some((named) => named.every((file) => circle.includes(file)))
  assert.deepEqual(
    found.filter((circle) => !isNamed(circle)),
    [],
  )
  const present = typeCircles.filter(([file = '']) => sources[file] !== undefined)
  assert.equal(found.length, present.length, 'a circle that no longer exists must be removed from the list')
  assert.deepEqual(circlesOf(new Map(Object.entries({ a: ['b', 'c'], b: ['a'], c: [] }))), [['a', 'b']])
})

test('every allowance of a package is used', () => {
  const all = allImports(readSources())
  const isUsed = (name: string, pattern: RegExp) => all.some(({ from, to }) => to === name && pattern.test(from))
  const modules = new Set(all.map(({ from }) => moduleOf(from)))
  // If a module is not in the tree, its packages need not be used.
  const isMissing = ({ source }: RegExp) => {
    const module = moduleOf(source.replaceAll(/[\\^]/g, ''))
    return module !== undefined && !modules.has(module)
  }
  const present = Object.entries(packages).filter(([, { use }]) => !isMissing(use))
  const stale = present.flatMap(([name, { use, types }]) => [
    ...(isUsed(name, use) ? [] : [name]),
    ...(types && !isUsed(name, types) ? [`types of ${name}`] : []),
  ])
  assert.deepEqual(stale, [])
})

test('every folder of src has its place in the order', () => {
  const folders = new Set(Object.keys(readSources()).map(folderOf))
  assert.deepEqual(
    [...folders].filter((folder) => !order.includes(folder)),
    [],
  )
})

test('no file of src leaves work for later', () => {
  const unfinished = Object.entries(readSources()).filter(([, source]) => /\b(TODO|FIXME)\b/.test(source))
  assert.deepEqual(
    unfinished.map(([file]) => file),
    [],
  )
})

const broken: [file: string, source: string, problem: string][] = [
  ['lib/time.ts', "import { config } from '../config/load.ts'", 'imports point one way'],
  ['users/create-user.ts', "import type { Login } from '../auth/login.ts'", 'imports point one way'],
  ['users/create-user.ts', "export * from '../auth/login.ts'", 'imports point one way'],
  ['users/create-user.ts', "const login = await import('../auth/login.ts')", 'imports point one way'],
  ['db/embedded/engine.ts', "new Worker(new URL('../../jobs/start.ts', import.meta.url))", 'imports point one way'],
  ['auth/login.ts', "import {\n  Pool,\n} from 'pg'", 'this package is not to be used here'],
  ['auth/login.ts', "import { fastify } from 'fastify'", 'this package is not to be used here'],
  ['auth/login.ts', "import { Value } from 'typebox/value'", 'this package is not to be used here'],
  ['auth/login.ts', "import 'left-pad'", 'this package is not to be used here'],
  ['modules/blog/posts.ts', "import { a } from '../privacy/consent.ts'", 'a module imports no other module'],
  ['adapters/mail/smtp.ts', "import { a } from './log.ts'", 'a backend imports no other backend'],
  ['adapters/mail/port.ts', "import { a } from './log.ts'", 'a port imports no backend'],
  [
    'admin/list.ts',
    "import { a } from './routes.ts'",
    'routes are for create-http.ts, manifests, and the routes.ts of their folder or the one above',
  ],
  [
    'auth/routes.ts',
    "import { a } from '../screens/account/own-routes.ts'",
    'routes are for create-http.ts, manifests, and the routes.ts of their folder or the one above',
  ],
  ['users/queries.ts', "import { a } from './create-user.ts'", 'queries import no use case of their folder'],
  ['app.ts', "import { a } from './cli/serve.ts'", 'imports point one way'],
  ['jobs/start.ts', "import { a } from '../app.ts'", 'the application is for the command line only'],
]
for (const [file, source, problem] of broken) {
  test(`${JSON.stringify(source)} in ${file} is refused`, () => {
    const backends = { 'adapters/mail/index.ts': "import './smtp.ts'\nconst a = import('./log.ts')" }
    const complaints = problems({ ...backends, [file]: source }).map((found) => found.problem)
    assert.ok(complaints.includes(problem), `said only: ${complaints}`)
  })
}

test('allowed imports are not complained about', () => {
  const fine = {
    'auth/routes.ts': "import type { FastifyRequest } from 'fastify'\nimport { login } from './login.ts'",
    'auth/login.ts': "import { createHash } from 'node:crypto'\nimport { hash } from '../passwords/hash.ts'",
    'users/queries.ts': "import { sql } from 'kysely'\nimport { columns } from './columns.ts'",
    'modules/index.ts': "import { blog } from './blog/manifest.ts'",
    'create-http.ts': "import { authRoutes } from './auth/routes.ts'",
    'screens/account/routes.ts': "import { ownRoutes } from './own-routes.ts'",
    'cli/serve.ts': "import { createApp } from '../app.ts'",
  }
  assert.deepEqual(problems(fine), [])
})

function problems(sources: Record<string, string>): (Import & { problem: string })[] {
  const all = allImports(sources)
  return all.flatMap((given) =>
    rules.map((rule) => rule(given, all)).flatMap((problem) => (problem ? [{ ...given, problem }] : [])),
  )
}

const allImports = (sources: Record<string, string>): Import[] =>
  Object.entries(sources).flatMap(([file, source]) => importsOf(file, source))

function readSources(): Record<string, string> {
  const root = join(import.meta.dirname, '../src')
  const files = globSync('**/*.ts', { cwd: root })
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

function importsOf(from: string, source: string): Import[] {
  const statements = source.matchAll(/^(?:im|ex)port(?<type> type)?\s+(?:[^'"`;:=()]+\sfrom\s+)?'(?<to>[^']+)'/gm)
  const expressions = source.matchAll(/(?:\bimport\(\s*|\bnew URL\(\s*(?='\.[^']*\.ts'))'(?<to>[^']+)'/g)
  return [...statements, ...expressions].flatMap(({ groups }) => {
    const to = groups!.to!
    if (to.startsWith('node:')) return []
    const isPackage = !to.startsWith('.')
    return { from, to: isPackage ? packageName(to) : join(dirname(from), to), isPackage, isTypeOnly: !!groups!.type }
  })
}

const packageName = (to: string): string => to.split('/', to.startsWith('@') ? 2 : 1).join('/')
const folderOf = (file: string): string => normalize(file).split('/')[0]!.replace(/\.ts$/, '')
const rank = (file: string): number => order.indexOf(folderOf(file))
/** Whether the manifest declares the dependency. */
const dependsOn = (module: string, other: string): boolean =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../src/modules/${module}/module.json`), 'utf8')).depends_on.some(
    (one: string | { module_id: string }) => (typeof one === 'string' ? one : one.module_id) === other,
  )

const moduleOf = (file: string): string | undefined => /^modules\/([^/]+)\//.exec(file)?.[1]

/** Whether the file is one of the implementations that an adapter's index chooses from. */
function isBackend(file: string, all: Import[]): boolean {
  const index = `${dirname(file)}/index.ts`
  return /^adapters\/.*(?<!\/port)\.ts$/.test(file) && all.some(({ from, to }) => from === index && to === file)
}
