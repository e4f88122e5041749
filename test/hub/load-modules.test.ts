import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { problemsOfManifests } from '../../src/hub/check-manifests.ts'
import { loadModules } from '../../src/hub/load-modules.ts'
import { type ComponentManifest, type ModuleManifest, manifestProblems } from '../../src/hub/manifest-schemas.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { privacy } from '../../src/modules/privacy/manifest.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('the modules of the release load, with the checksums that they are shipped with', () => {
  const modules = loadModules(shippedModules)
  assert.deepEqual(
    modules.map(({ id }) => id),
    ['two-factor', 'api-keys', 'oauth', 'privacy', 'onboarding', 'blog', 'post-types'],
  )
  for (const { components } of modules) for (const { checksum } of components) assert.match(checksum, /^[0-9a-f]{64}$/)
})

test('a module that does not say what happens to data from before the first proof ends the start', () => {
  for (const unproven of [undefined, 'Kept', true, {}]) {
    const personalData = { ...privacy.personalData, unproven } as typeof privacy.personalData
    assert.throws(
      () => loadModules([{ ...privacy, ...(personalData && { personalData }) }]),
      /privacy: personalData\.unproven/,
    )
  }
})

describe('a module whose files are not as they were shipped', () => {
  const copy = () => {
    const directory = join(temporaryDirectory('module'), 'privacy/')
    cpSync(privacy.directory, directory, { recursive: true })
    return directory
  }
  const load = (directory: string) => loadModules([{ ...privacy, directory: pathToFileURL(directory) }])

  test('loads with other line ends, which are none of its content', () => {
    const directory = copy()
    const text = readFileSync(join(directory, 'core.sql'), 'utf8')
    writeFileSync(join(directory, 'core.sql'), `\n${text.replaceAll('\n', '\r\n')}\n`)
    assert.equal(load(directory)[0]?.components[0]?.checksum, loadModules([privacy])[0]?.components[0]?.checksum)
  })

  for (const name of ['core.sql', 'module.json']) {
    test(`ends the start: ${name}`, () => {
      const directory = copy()
      writeFileSync(join(directory, name), readFileSync(join(directory, name), 'utf8').replace('gdpr', 'gdqr'))
      assert.throws(() => load(directory), new RegExp(`privacy/${name} differs from the released file`))
    })
  }

  test('ends the start when no checksum was shipped for a file', () => {
    assert.throws(() => loadModules([{ ...privacy, checksums: {} }]), /module\.json differs from the released file/)
  })
})

const component = (id: string, more: Partial<ComponentManifest> = {}): ComponentManifest => ({
  component_id: id,
  component_type: id === 'core' ? 'core' : 'extension',
  description: 'a component',
  version: '1.0.0',
  depends_on: [],
  install: [],
  upgrades: [],
  objects: [],
  ...more,
})
const manifest = (id: string, components = [component('core')], depends_on: string[] = []): ModuleManifest => ({
  module_id: id,
  name: id,
  description: 'a module',
  module_version: '1.0.0',
  depends_on,
  runtime_scopes: ['service-core'],
  components,
})

describe('manifests that do not fit together are refused:', () => {
  const cases: Record<string, ModuleManifest[]> = {
    'a: this id is used twice': [manifest('a'), manifest('a')],
    'status: this id is reserved': [manifest('status')],
    'a: the first component must be "core"': [manifest('a', [component('ext-b')])],
    'a: component "ext-b" is declared twice': [
      manifest('a', [component('core'), component('ext-b'), component('ext-b')]),
    ],
    'a: component "ext-b" depends on "ext-c", which must come before it': [
      manifest('a', [
        component('core'),
        component('ext-b', { depends_on: ['ext-c'] }),
        component('ext-c', { depends_on: ['ext-b'] }),
      ]),
    ],
    'a: depends on "b", which must come before it': [manifest('a', undefined, ['b']), manifest('b', undefined, ['a'])],
    'a: depends on "a", which must come before it': [manifest('a', undefined, ['a'])],
    'a: component "ext-b" must not be of type core': [
      manifest('a', [component('core'), component('ext-b', { component_type: 'core' })]),
    ],
    'a: component "core" declares objects but no SQL that creates them': [
      manifest('a', [component('core', { objects: [{ table: 'a', columns: { id: 'uuid' } }] })]),
    ],
  }
  for (const [problem, manifests] of Object.entries(cases)) {
    test(problem, () => assert.deepEqual(problemsOfManifests(manifests).slice(0, 1), [problem]))
  }
})

describe('what is no manifest is refused:', () => {
  const core = component('core')
  const cases: Record<string, unknown> = {
    'another directory in a file name': manifest('a', [{ ...core, install: ['../privacy/core.sql'] }]),
    'an absolute file name': manifest('a', [{ ...core, install: ['/etc/passwd'] }]),
    'a module id that leaves its place': manifest('../a'),
    'ten thousand components': manifest('a', [
      core,
      ...Array.from({ length: 10_000 }, (_, n) => component(`ext-${n}`)),
    ]),
    'a version that is none': manifest('a', [{ ...core, version: '1.0' }]),
    'a table that would end a statement': manifest('a', [
      { ...core, objects: [{ table: 'a; DROP TABLE users', columns: {} }] },
    ]),
    'an unknown member': { ...manifest('a'), extra: 1 },
    nothing: null,
  }
  for (const [name, value] of Object.entries(cases)) {
    test(name, () => assert.notDeepEqual(manifestProblems(value), []))
  }
  test('a good one is not', () => assert.deepEqual(manifestProblems(manifest('a')), []))
})
