import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFiles } from '../../src/adapters/files/index.ts'
import { badNames, filesContract } from './files.contract.ts'

const picture = new Uint8Array([1, 2, 3])

describe('files in a directory', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'wardenry-files-'))
  })
  after(() => rmSync(root, { recursive: true }))

  const fresh = () => join(mkdtempSync(join(root, 'store-')), 'pictures')
  filesContract(() => openFiles(fresh()))

  test('only the user of the service can read directory and files', async () => {
    const directory = fresh()
    await (await openFiles(directory)).put('ada-1.webp', picture, 'image/webp')
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    assert.equal(statSync(join(directory, 'ada-1.webp')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(directory), ['ada-1.webp'])
  })

  test('a link inside the directory leads nowhere', async () => {
    const directory = fresh()
    const files = await openFiles(directory)
    writeFileSync(join(directory, '..', 'outside.txt'), 'secret')
    symlinkSync(join(directory, '..', 'outside.txt'), join(directory, 'link.webp'))
    await assert.rejects(files.get('link.webp'))
  })

  test('what a killed process left half written is never listed, and goes with a later start', async () => {
    const directory = fresh()
    await openFiles(directory)
    for (const draft of ['.draft-old', '.draft-young']) writeFileSync(join(directory, draft), 'half')
    const yesterday = Date.now() / 1000 - 86_400
    utimesSync(join(directory, '.draft-old'), yesterday, yesterday)
    const files = await openFiles(directory)
    assert.deepEqual(await files.list('', 10), [])
    assert.deepEqual(readdirSync(directory), ['.draft-young'], 'a young one may belong to a process that still writes')
  })

  test('a file that cannot be kept is an error and leaves nothing behind', async () => {
    const directory = fresh()
    const files = await openFiles(directory)
    rmSync(directory, { recursive: true })
    await assert.rejects(files.put('ada-1.webp', picture, 'image/webp'), { code: 'ENOENT' })
  })
})

test('storage that is switched off says so, keeps nothing and has nothing', async () => {
  const files = await openFiles(undefined)
  assert.equal(files.isConfigured, false)
  await assert.rejects(files.put('ada-1.webp', picture, 'image/webp'), /STORAGE_URL/)
  assert.equal(await files.get('ada-1.webp'), undefined)
  await files.remove('ada-1.webp')
  assert.deepEqual(await files.list('', 10), [])
  for (const name of badNames) await assert.rejects(files.get(name), name)
})
