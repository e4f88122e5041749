// Setup: embedded database
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { openOutput } from '../../src/cli/backup/output-file.ts'
import { requestCopy } from '../../src/db/embedded/control-socket.ts'
import { minute } from '../../src/lib/time.ts'
import { startService } from '../support/child.ts'
import { openWorkplace } from './run-command.ts'

test('a backup is readable only by its owner, and replaces a file only with --force', async (t) => {
  const { run, directory } = await openWorkplace(t)
  const env = { DATA_DIR: join(directory, 'data') }
  const service = await startService(env)
  t.after(() => service.kill())
  const at = (name: string) => join(directory, name)
  const socket = statSync(join(env.DATA_DIR, 'control', 'socket'))
  assert.deepEqual([socket.mode & 0o777, statSync(join(env.DATA_DIR, 'control')).mode & 0o777], [0o600, 0o700])

  await writeFile(at('taken'), 'precious', { mode: 0o644 })
  await symlink(at('taken'), at('link'))
  await symlink(at('nowhere'), at('dangling'))
  for (const name of ['taken', 'link', 'dangling']) {
    const { code, stderr } = await run(['backup', name], { env })
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`${name} already exists: name a new file, or add --force`))
  }
  assert.equal((await run(['backup', 'taken', '--force'], { env })).code, 0)
  assert.equal((await run(['backup', 'link', '--force'], { env })).code, 0)
  assert.equal(statSync(at('taken')).mode & 0o777, 0o600)
  assert.equal((await readFile(at('taken'))).subarray(0, 2).toString('hex'), '1f8b')
})

test('--force replaces neither a named pipe nor a directory', async (t) => {
  const { directory } = await openWorkplace(t)
  const [pipe, folder] = [join(directory, 'pipe'), join(directory, 'folder')]
  execFileSync('mkfifo', [pipe])
  mkdirSync(folder)
  for (const path of [pipe, folder]) await assert.rejects(openOutput(path, true), /is not a file: name a file/)
  assert.deepEqual(readdirSync(directory).toSorted(), ['folder', 'pipe'])
})

test('two backups to one path at once never mix, and leave nothing else', async (t) => {
  const { directory } = await openWorkplace(t)
  const path = join(directory, 'b')
  const [first, second, third] = [
    await openOutput(path, true),
    await openOutput(path, true),
    await openOutput(path, true),
  ]
  first.stream.write('first ')
  second.stream.write('second')
  first.stream.end('backup')
  await finished(first.stream)
  await first.complete()
  assert.equal(await readFile(path, 'utf8'), 'first backup')
  await second.discard()
  assert.equal(await readFile(path, 'utf8'), 'first backup')
  third.stream.end('third backup')
  await finished(third.stream)
  await third.complete()
  assert.equal(await readFile(path, 'utf8'), 'third backup')
  assert.deepEqual(readdirSync(directory), ['b'])
})

test('a file that appears while a backup is written is not replaced', async (t) => {
  const { directory } = await openWorkplace(t)
  const path = join(directory, 'b')
  const output = await openOutput(path, false)
  await writeFile(path, 'precious')
  await assert.rejects(output.complete(), /b already exists: name a new file/)
  await output.discard()
  assert.equal(await readFile(path, 'utf8'), 'precious')
  assert.deepEqual(readdirSync(directory), ['b'])
})

test('the copies of killed backups are removed by the next one', async (t) => {
  const { run, directory } = await openWorkplace(t)
  const env = { DATA_DIR: join(directory, 'data') }
  const service = await startService(env)
  t.after(() => service.kill())
  const copy = await requestCopy(env.DATA_DIR)
  assert.equal(statSync(copy).mode & 0o777, 0o700)
  const copies = () => readdirSync(env.DATA_DIR).filter((name) => name.startsWith('copy-'))
  assert.equal(copies().length, 1)
  // The copy is not deleted yet, because the command that requested it may lock it within a minute.
  assert.equal((await run(['backup', 'b'], { env })).code, 0)
  assert.equal(copies().length, 1)
  const past = new Date(Date.now() - 10 * minute)
  await utimes(copy, past, past)
  assert.equal((await run(['backup', 'c'], { env })).code, 0)
  assert.deepEqual(copies(), [])
})
