// Setup: own process
// A package that it uses adds listeners to the process.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { bundleProblems } from '../../scripts/release/bundle-imports.ts'
import { pack } from '../../scripts/release/pack.ts'
import { install, smokeTestService } from '../../scripts/release/smoke-service.ts'
import { type Tarball, tarballProblems } from '../../scripts/release/tarball.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const manifest = readJson(join(root, 'package.json'))

// Packs a copy of the tree because packing runs the build, and other tests use this tree's build.
let tarball: Tarball
before(() => {
  const copy = temporaryDirectory('package')
  for (const name of ['bin', 'scripts', 'src', 'package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  tarball = pack({ directory: copy, manifest }, temporaryDirectory('tarball'))
})

const allowed = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|NOTICE)$/,
  /^bin\/(package\.json|run\.js|wardenry\.js)$/,
  /^build\/(embedded\.tar\.gz|app\/(LICENSES\.txt|[a-z-]+\.js))$/,
  /^build\/app\/packages\/(shared\/)?[\w-]+\.js$/,
  /^src\/(db|hub|modules)\/[\w./-]+\.sql$/,
  /^src\/modules\/[a-z-]+\/module\.json$/,
  /^src\/(modules|outbox|screens|ui)\/[\w./-]+\.eta$/,
  /^src\/(modules|ui)\/[\w/-]+\.(css|js|svg)$/,
]

test('the tarball contains the bundle and the files that it reads, and nothing else', () => {
  assert.deepEqual(
    tarball.paths.filter((path) => !allowed.some((pattern) => pattern.test(path))),
    [],
  )
  for (const pattern of allowed)
    assert.ok(
      tarball.paths.some((path) => pattern.test(path)),
      String(pattern),
    )
  assert.deepEqual(tarballProblems(tarball), [])
})

let directory: string
before(() => {
  directory = temporaryDirectory('installed')
  install(tarball.file, directory)
})

test('the tarball works in an empty directory, without development packages and without a build', async () => {
  await smokeTestService(directory, process.execPath, manifest.version)
})

test('npm installs exactly the packages that the bundle imports, and their dependencies', async () => {
  const installed = readJson(join(directory, 'node_modules/wardenry/package.json'))
  assert.deepEqual(await bundleProblems(join(directory, 'node_modules/wardenry/build/app'), installed), [])
  const bundled = Object.keys(readJson(join(root, 'bundled/package.json')).dependencies)
  const present = readdirSync(join(directory, 'node_modules'), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    bundled.filter((name) => present.includes(name)),
    [],
  )
})

test('an import that package.json does not list and a listed package without an import are reported', async () => {
  const bundle = temporaryDirectory('bundle')
  mkdirSync(join(bundle, 'packages'))
  writeFileSync(join(bundle, 'main.js'), "import 'pg'\nimport 'node:fs'\nimport('./packages/a.js')")
  writeFileSync(join(bundle, 'packages/a.js'), "export const load = () => import('@scope/name/part')")
  writeFileSync(join(bundle, 'worker.js'), 'createRequire(place(`a.ts`))(`right`)')
  const problems = await bundleProblems(bundle, {
    ...manifest,
    dependencies: { pg: '1.0.0' },
    optionalDependencies: { left: '1.0.0' },
  })
  assert.deepEqual(problems, [
    'the bundle imports @scope/name, which package.json does not list',
    'the bundle imports right, which package.json does not list',
    'package.json lists left, which the bundle does not import: list it in bundled/package.json',
  ])
})

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
