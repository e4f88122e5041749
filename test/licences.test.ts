import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  isAllowed,
  type LockedPackage,
  licenceProblems,
  packageName,
  productionLicences,
} from '../scripts/release/licences.ts'

const root = join(import.meta.dirname, '..')
const lock: { packages: Record<string, LockedPackage> } = readJson('package-lock.json')
const locked = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('every package of the running service has a licence that is allowed', () => {
  assert.deepEqual(licenceProblems(productionLicences(lock.packages, installedLicence)), [])
})

test('only the pinned runtime runs a script while it is installed', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => packageName(path))
  assert.deepEqual(scripted, ['node'])
})

test('the service has at most 45 direct dependencies, each pinned to one version', () => {
  const direct = directDependencies()
  assert.ok(Object.keys(direct).length <= 45, `there are ${Object.keys(direct).length}`)
  assert.deepEqual(
    Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version))),
    [],
  )
})

// If npm placed another version in `node_modules`, for example for a development package, the sources would import it.
test('the sources import the direct dependencies in their pinned versions', () => {
  for (const [name, version] of Object.entries(directDependencies()))
    assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name)
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

/** Reads the licence of a package for which the lock file has none. Optional packages may not be installed. */
function installedLicence(path: string): string | undefined {
  return existsSync(join(root, path, 'package.json')) ? readJson(`${path}/package.json`).license : undefined
}

/** `package.json` lists the packages that npm installs with the service, and `bundled` those that the bundle contains. */
function directDependencies(): Record<string, string> {
  const manifests = ['package.json', 'bundled/package.json'].map(readJson)
  return Object.assign({}, ...manifests.flatMap((one) => [one.dependencies, one.optionalDependencies]))
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
