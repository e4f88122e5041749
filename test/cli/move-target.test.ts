import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { readMovePlace } from '../../src/cli/backup/move-place.ts'
import { openWorkplace } from './run-command.ts'

const password = 'hunter2'

test('a target with a typing error is not taken for a directory', () => {
  for (const to of [
    `postgresql//wardenry:${password}@db.example.com/wardenry`,
    `postgres:/wardenry:${password}@db.example.com/wardenry`,
    `Postgres//wardenry:${password}@db.example.com/wardenry`,
    `./postgres://wardenry:${password}@db.example.com/wardenry`,
    '//db.example.com/wardenry',
    'file://db.example.com/wardenry',
    'wardenry',
    '..',
    '',
  ])
    assert.throws(
      () => readMovePlace(to),
      ({ message }: Error) => /begins with \/ or \.\//.test(message) && !message.includes(password),
      to,
    )
})

test('a password on the command line is refused', () => {
  for (const to of [
    `postgres://wardenry:${password}@db.example.com/wardenry`,
    `postgresql://wardenry:@db.example.com/wardenry`,
    `postgres://wardenry@db.example.com/wardenry?ssl=true&password=${password}`,
  ])
    assert.throws(
      () => readMovePlace(to),
      ({ message }: Error) => /PGPASSWORD/.test(message) && !message.includes(password),
      to,
    )
  const bad = () => readMovePlace(`postgres://wardenry:${password}@[db/wardenry`)
  assert.throws(bad, ({ message }: Error) => message.startsWith('--to ') && !message.includes(password))
})

test('URLs without a password and explicit directories are targets', () => {
  assert.equal(
    readMovePlace('postgres://wardenry@db.example.com/wardenry').name,
    'the database wardenry on db.example.com:5432',
  )
  for (const to of ['/var/lib/wardenry', 'file:/var/lib/wardenry', 'file:///var/lib/wardenry'])
    assert.equal(readMovePlace(to).dataDir, '/var/lib/wardenry')
  assert.equal(readMovePlace('./embedded').dataDir, resolve('embedded'))
  assert.equal(readMovePlace('../embedded').dataDir, resolve('../embedded'))
})

test('a refused target writes nothing', async (t) => {
  const { run, directory, dataDir } = await openWorkplace(t)
  const refused = await run(['move', '--to', 'postgresql//db.example.com/wardenry'], { env: { DATA_DIR: dataDir } })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /--to must be a URL/)
  assert.ok(!(await readdir(directory)).includes('postgresql'))
})

test('options of the other direction are refused', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  assert.match(
    (await run(['move', '--to', './new', '--keep-sessions'], { env })).stderr,
    /belong to --to, and --keep-sessions to --undo/,
  )
  assert.match((await run(['move', '--undo', '--end-sessions'], { env })).stderr, /belong to --to/)
})
