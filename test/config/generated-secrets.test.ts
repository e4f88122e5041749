import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeKey } from '../../src/config/decode-key.ts'
import { loadConfig } from '../../src/config/load.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { problemsOf } from './support.ts'
import '../../src/modules/index.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('a first start generates missing secrets, readable only by the owner, and later starts find them', () => {
  const DATA_DIR = join(temporaryDirectory('config'), 'data')
  const first = loadConfig({ DATA_DIR })
  assert.deepEqual(first.generated.toSorted(), ['AUTH_SECRET', 'BRIDGE_SECRET', 'DATA_KEYS'])
  assert.equal(modeOf(DATA_DIR), 0o700)
  assert.equal(modeOf(join(DATA_DIR, 'secrets.json')), 0o600)
  assert.deepEqual(readdirSync(DATA_DIR), ['secrets.json'], 'nothing unfinished is left')
  for (const value of [first.AUTH_SECRET, first.BRIDGE_SECRET, first.DATA_KEYS[0]?.value])
    assert.equal(decodeKey(value ?? '')?.length, 32)

  const second = loadConfig({ DATA_DIR })
  assert.deepEqual(second.generated, first.generated)
  for (const name of ['AUTH_SECRET', 'BRIDGE_SECRET', 'DATA_KEYS'] as const) assert.deepEqual(second[name], first[name])
  assert.notEqual(loadConfig({ DATA_DIR: temporaryDirectory('config') }).AUTH_SECRET, first.AUTH_SECRET)
})

test('what is set is used and not kept, and what is kept is not lost when one more is made', () => {
  const DATA_DIR = temporaryDirectory('config')
  const file = join(DATA_DIR, 'secrets.json')
  const AUTH_SECRET = 'Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU'
  const first = loadConfig({ DATA_DIR, AUTH_SECRET })
  assert.equal(first.AUTH_SECRET, AUTH_SECRET)
  assert.ok(!readFileSync(file, 'utf8').includes(AUTH_SECRET))
  const second = loadConfig({ DATA_DIR })
  assert.deepEqual(first.generated, ['BRIDGE_SECRET', 'DATA_KEYS'])
  assert.deepEqual(second.generated, ['BRIDGE_SECRET', 'AUTH_SECRET', 'DATA_KEYS'])
  assert.equal(second.BRIDGE_SECRET, first.BRIDGE_SECRET)
  assert.deepEqual(second.DATA_KEYS, first.DATA_KEYS)
  const named = loadConfig({ DATA_DIR, BRIDGE_SECRETS: `shop:${AUTH_SECRET}` })
  assert.equal(named.BRIDGE_SECRET, undefined, 'one that was not asked for would open a door')
})

test('nodes that share a database share their secrets: those are set, not made', () => {
  const DATA_DIR = temporaryDirectory('config')
  const problems = problemsOf({ DATA_DIR, DATABASE_URL: 'postgres://localhost/auth' })
  assert.equal(problems.length, 2)
  assert.match(problems.join('\n'), /AUTH_SECRET is required with DATABASE_URL/)
  assert.match(problems.join('\n'), /DATA_KEYS is required with DATABASE_URL/)
  assert.deepEqual(readdirSync(DATA_DIR), [])
})

test('a file that cannot be read stops the start, and is left as it is', () => {
  for (const damaged of ['', '{"AUTH_SECRET": "unfini', 'text', 'null']) {
    const DATA_DIR = temporaryDirectory('config')
    const file = join(DATA_DIR, 'secrets.json')
    writeFileSync(file, damaged)
    assert.match(
      problemsOf({ DATA_DIR }).join(),
      /secrets\.json is damaged: it contains the generated secrets\. Restore/,
    )
    assert.equal(readFileSync(file, 'utf8'), damaged)
  }
})

test('keys of an existing database are not replaced; a bridge secret is', () => {
  const DATA_DIR = temporaryDirectory('config')
  const first = loadConfig({ DATA_DIR })
  const file = join(DATA_DIR, 'secrets.json')
  mkdirSync(join(DATA_DIR, 'postgres'))
  rmSync(file)
  assert.match(problemsOf({ DATA_DIR }).join(), /secrets\.json does not contain AUTH_SECRET and DATA_KEYS/)
  assert.deepEqual(readdirSync(DATA_DIR), ['postgres'])
  writeFileSync(file, JSON.stringify({ AUTH_SECRET: first.AUTH_SECRET, DATA_KEYS: first.DATA_KEYS[0]?.value }))
  const second = loadConfig({ DATA_DIR })
  assert.deepEqual([second.AUTH_SECRET, second.DATA_KEYS], [first.AUTH_SECRET, first.DATA_KEYS])
  assert.notEqual(second.BRIDGE_SECRET, first.BRIDGE_SECRET)
})

test('a refused start generates nothing', () => {
  const DATA_DIR = join(temporaryDirectory('config'), 'data')
  assert.equal(problemsOf({ DATA_DIR, PORT: 'x' }).length, 1)
  assert.throws(() => statSync(DATA_DIR), /ENOENT/)
})

test('a file that others may read is closed when it is next written', () => {
  const DATA_DIR = temporaryDirectory('config')
  loadConfig({ DATA_DIR, AUTH_SECRET: 'Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU' })
  const file = join(DATA_DIR, 'secrets.json')
  chmodSync(file, 0o644)
  loadConfig({ DATA_DIR })
  assert.equal(modeOf(file), 0o600)
})
