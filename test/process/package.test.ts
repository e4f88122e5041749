import assert from 'node:assert/strict'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { pack } from '../../scripts/release/pack.ts'
import { install, smokeTestService } from '../../scripts/release/smoke-service.ts'
import { type Tarball, tarballProblems } from '../../scripts/release/tarball.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

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
  /^src\/(db|hub|modules)\/[\w./-]+\.sql$/,
  /^src\/modules\/[a-z-]+\/module\.json$/,
  /^src\/(modules|outbox|pages)\/[\w./-]+\.eta$/,
  /^src\/(modules|pages)\/[\w/-]+\.(css|js|svg)$/,
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

test('the tarball works in an empty directory, without development packages and without a build', async () => {
  const directory = temporaryDirectory('installed')
  install(tarball.file, directory)
  await smokeTestService(directory, process.execPath, manifest.version)
})
