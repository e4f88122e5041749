import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
])

// Linked dynamically and named in NOTICE.
const excepted: [name: RegExp, licence: string][] = [
  [/^@img\/sharp-libvips-/, 'LGPL-3.0-or-later'],
  [/^@img\/sharp-win32-/, 'Apache-2.0 AND LGPL-3.0-or-later'],
  [/^@img\/sharp-wasm32$/, 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
]

interface LockedPackage {
  license?: string
  dev?: boolean
  link?: boolean
  hasInstallScript?: boolean
}

const root = join(import.meta.dirname, '..')
const lock: { packages: Record<string, LockedPackage> } = readJson('package-lock.json')
const locked = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('every package of the running service has a licence that is allowed', () => {
  const refused = locked
    .filter(([, { dev }]) => !dev)
    .map(([path, entry]) => ({ name: nameOf(path), licence: entry.license ?? installedLicence(path) }))
    .filter(({ name, licence }) => !isAllowed(name, licence))
  assert.deepEqual(refused, [])
})

test('only the pinned runtime runs a script while it is installed', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path))
  assert.deepEqual(scripted, ['node'])
})

test('the service has at most 45 direct dependencies, each pinned to one version', () => {
  const { dependencies = {}, optionalDependencies = {} } = readJson('package.json')
  const direct = { ...dependencies, ...optionalDependencies }
  assert.ok(Object.keys(direct).length <= 45, `there are ${Object.keys(direct).length}`)
  assert.deepEqual(
    Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version))),
    [],
  )
})

test('a choice of licences needs one that is allowed, a combination needs all', () => {
  assert.ok(isAllowed('a', '(GPL-3.0 OR MIT)'))
  assert.ok(isAllowed('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later'))
  for (const licence of [
    'AGPL-3.0-only',
    'MIT AND GPL-3.0',
    'LGPL-3.0-or-later',
    'SEE LICENSE IN LICENSE',
    undefined,
  ]) {
    assert.ok(!isAllowed('a', licence), String(licence))
  }
})

function isAllowed(name: string, licence = ''): boolean {
  if (excepted.some(([pattern, exact]) => pattern.test(name) && licence === exact)) return true
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((part) => allowed.has(part)))
}

/** For packages whose licence the lock file does not tell; optional ones may not be installed here. */
function installedLicence(path: string): string | undefined {
  return existsSync(join(root, path, 'package.json')) ? readJson(`${path}/package.json`).license : undefined
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
