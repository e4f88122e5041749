import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { changelogProblems } from '../../scripts/release/changelog.ts'
import { licenceProblems, productionLicences } from '../../scripts/release/licences.ts'
import { pack } from '../../scripts/release/pack.ts'
import { type Manifest, manifestProblems, releasedPackages } from '../../scripts/release/packages.ts'
import { provenanceProblems, publishArguments, treeProblems } from '../../scripts/release/publish.ts'
import { forbiddenPaths, requiredPaths, sizeLimit, tarballProblems } from '../../scripts/release/tarball.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const packages = releasedPackages(root)
const version = packages.at(-1)?.manifest.version ?? ''
const sound: Manifest = {
  name: '@wardenry/example',
  version: '1.2.3',
  license: 'Apache-2.0',
  engines: { node: '>=20' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
const paths = ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']

test('the packages of this tree have one version, a licence and versions of Node.js', () => {
  const names = packages.map(({ manifest }) => manifest.name)
  assert.deepEqual(names, ['@wardenry/client', '@wardenry/react', '@wardenry/server', 'wardenry'])
  const manifests = packages.map(({ manifest }) => manifest)
  assert.deepEqual(manifestProblems(manifests, version), [])
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8')
  for (const { directory } of packages) assert.equal(readFileSync(join(directory, 'LICENSE'), 'utf8'), licence)
})

const faults: [what: string, manifest: Partial<Manifest>, problem: RegExp][] = [
  ['another version', { version: '1.2.4' }, /the version is 1\.2\.4, and the one of the service is 1\.2\.3/],
  ['"private"', { private: true }, /"private" prevents publishing/],
  ['another licence', { license: 'MIT' }, /the licence is MIT/],
  ['no versions of Node.js', { engines: {} }, /"engines"/],
]
for (const [what, fault, problem] of faults) {
  test(`refuses a package with ${what}`, () => {
    const problems = manifestProblems([sound, { ...sound, ...fault }], '1.2.3')
    assert.equal(problems.length, 1)
    assert.match(String(problems), problem)
  })
}

test('the changelog of this tree has a section for the version', () => {
  assert.deepEqual(changelogProblems(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, 'check'), [])
})

test('refuses a changelog without the version, without changes, and, to publish, without a date', () => {
  const text = '# Changelog\n\n## [1.2.3] - unreleased\n\n- A change.\n\n## [1.2.2] - 2026-01-31\n'
  assert.deepEqual(changelogProblems(text, '1.2.3', 'check'), [])
  assert.match(String(changelogProblems(text, '1.2.3', 'publish')), /no date/)
  assert.deepEqual(changelogProblems(text.replace('unreleased', '2026-02-01'), '1.2.3', 'publish'), [])
  assert.match(String(changelogProblems(text, '1.2.2', 'check')), /lists no change under \[1\.2\.2\]/)
  assert.match(String(changelogProblems(text, '1.2', 'check')), /no section \[1\.2\]/)
})

test('a packed package.json has no scripts, because they need files that are not in the tarball', () => {
  const directory = temporaryDirectory('to-pack')
  const members = { ...sound, files: ['index.js'], scripts: { prepack: 'node build.js', test: 'node test.js' } }
  const development = { workspaces: ['packages/*'], allowScripts: { node: true }, devDependencies: { node: '26.9.0' } }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...members, ...development }))
  writeFileSync(join(directory, 'build.js'), "require('node:fs').writeFileSync('index.js', '')")
  const tarball = pack({ directory, manifest: sound }, temporaryDirectory('packed'))
  assert.deepEqual(tarball.paths.toSorted(), ['index.js', 'package.json'])
  const text = execFileSync('tar', ['-xzOf', tarball.file, 'package/package.json'], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(text), { ...sound, files: ['index.js'] })
})

test('a tarball with exactly what it needs has no problem', () => {
  assert.deepEqual(tarballProblems({ manifest: sound, file: '', bytes: 1000, paths }), [])
})

for (const missing of paths) {
  test(`refuses a tarball without ${missing}`, () => {
    const rest = paths.filter((path) => path !== missing)
    const problems = tarballProblems({ manifest: sound, file: '', bytes: 1000, paths: rest })
    assert.deepEqual(problems, [`@wardenry/example: ${missing} is missing from the tarball`])
  })
}

test('the package of the service needs its bundle, its database and the licences of what it contains', () => {
  const needed = requiredPaths({ ...sound, name: 'wardenry', exports: {}, bin: { wardenry: 'bin/wardenry.js' } })
  for (const path of ['bin/wardenry.js', 'build/app/main.js', 'build/embedded.tar.gz', 'build/app/LICENSES.txt'])
    assert.ok(needed.includes(path), path)
})

test('refuses tests, benchmarks, sources, secrets, maps and pictures in a tarball', () => {
  for (const path of [
    'test/auth/login.test.ts',
    'bench/run.ts',
    'docs/images/sign-in.webp',
    'scripts/build.ts',
    'src/app.ts',
    'dist/index.test.js',
    'dist/index.js.map',
    'dist/.env',
    '.env.example',
    '.github/workflows/ci.yml',
    'build/cache/v26/0123',
    'data/secrets.json',
    'server.key',
    'node_modules/pg/package.json',
  ]) {
    assert.deepEqual(forbiddenPaths([...paths, path]), [path])
    const [problem = ''] = tarballProblems({ manifest: sound, file: '', bytes: 1000, paths: [...paths, path] })
    assert.match(problem, /must not be part of the tarball/)
  }
  assert.deepEqual(forbiddenPaths(['src/ui/assets/docs/dom.js', 'src/screens/start/docs/docs.eta']), [])
})

test('refuses a tarball that is too large', () => {
  const bytes = sizeLimit(sound.name) + 1
  assert.match(String(tarballProblems({ manifest: sound, file: '', bytes, paths })), /at most/)
})

test('refuses a package of the running service whose licence is not allowed, and ignores development packages', () => {
  const locked = {
    '': { version: '1.2.3' },
    'node_modules/good': { version: '1.0.0', license: 'MIT' },
    'node_modules/good/node_modules/@scope/bad': { version: '2.0.0', license: 'AGPL-3.0-only' },
    'node_modules/unknown': { version: '3.0.0' },
    'node_modules/tool': { version: '4.0.0', license: 'AGPL-3.0-only', dev: true },
    'node_modules/own': { link: true },
  }
  assert.deepEqual(licenceProblems(productionLicences(locked, () => undefined)), [
    '@scope/bad 2.0.0 has a licence that is not allowed: AGPL-3.0-only',
    'unknown 3.0.0 has a licence that is not allowed: none',
  ])
})

test('publishes only a clean tree whose commit has the tag of the version', () => {
  assert.deepEqual(treeProblems({ status: '', tags: ['v1.2.3'] }, '1.2.3'), [])
  assert.match(
    String(treeProblems({ status: ' M README.md\n', tags: ['v1.2.3'] }, '1.2.3')),
    /not committed:\n M README/,
  )
  assert.match(
    String(treeProblems({ status: '', tags: ['v1.2.2', '1.2.3'] }, '1.2.3')),
    /does not have the tag v1\.2\.3/,
  )
})

test('publishes with provenance in CI only, which needs the repository, and a pre-release under the tag next', () => {
  const repository = { type: 'git', url: 'git+https://git.example/wardenry.git' }
  assert.deepEqual(provenanceProblems([sound], false), [])
  assert.deepEqual(provenanceProblems([{ ...sound, repository }], true), [])
  assert.match(String(provenanceProblems([sound], true)), /no "repository"/)
  assert.deepEqual(publishArguments(sound, 'a.tgz', true).slice(-3), ['--tag', 'latest', '--provenance'])
  assert.deepEqual(publishArguments({ ...sound, version: '2.0.0-rc.1' }, 'a.tgz', false).slice(-2), ['--tag', 'next'])
})
