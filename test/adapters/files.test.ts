import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFiles } from '../../src/adapters/files/index.ts'
import { type S3Double, startS3Double } from '../support/s3-double.ts'
import { badNames, filesContract } from './files.contract.ts'

const picture = new Uint8Array([1, 2, 3])

describe('files in a directory', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'wardenry-files-'))
  })
  after(() => rmSync(root, { recursive: true }))

  const fresh = () => join(mkdtempSync(join(root, 'store-')), 'pictures')
  const open = (directory: string) => openFiles({ kind: 'local', directory })
  filesContract(() => open(fresh()))

  test('only the user of the service can read directory and files', async () => {
    const directory = fresh()
    await (await open(directory)).put('ada-1.webp', picture, 'image/webp')
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    assert.equal(statSync(join(directory, 'ada-1.webp')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(directory), ['ada-1.webp'])
  })

  test('a link inside the directory leads nowhere', async () => {
    const directory = fresh()
    const files = await open(directory)
    writeFileSync(join(directory, '..', 'outside.txt'), 'secret')
    symlinkSync(join(directory, '..', 'outside.txt'), join(directory, 'link.webp'))
    await assert.rejects(files.get('link.webp'))
  })

  test('a partially written file is never read, and a later start removes it', async () => {
    const directory = fresh()
    await open(directory)
    for (const draft of ['.draft-old', '.draft-young']) writeFileSync(join(directory, draft), 'half')
    const yesterday = Date.now() / 1000 - 86_400
    utimesSync(join(directory, '.draft-old'), yesterday, yesterday)
    await open(directory)
    assert.deepEqual(readdirSync(directory), ['.draft-young'], 'a young one may belong to a process that still writes')
  })

  test('a failed write is an error and leaves nothing behind', async () => {
    const directory = fresh()
    const files = await open(directory)
    rmSync(directory, { recursive: true })
    await assert.rejects(files.put('ada-1.webp', picture, 'image/webp'), { code: 'ENOENT' })
  })
})

test('disabled storage reports this and stores nothing', async () => {
  const files = await openFiles({ kind: 'off' })
  assert.equal(files.kind, 'off')
  await assert.rejects(files.put('ada-1.webp', picture, 'image/webp'), /STORAGE_URL/)
  assert.equal(await files.get('ada-1.webp'), undefined)
  await files.remove('ada-1.webp')
  for (const name of badNames) await assert.rejects(files.get(name), name)
})

describe('files in a bucket', () => {
  let store: S3Double
  before(async () => {
    store = await startS3Double()
  })
  after(() => store.stop())

  let buckets = 0
  const credentials = { region: 'eu-central-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a/secret+with=signs' }
  const open = (more: { secretAccessKey?: string; endpoint?: string } = {}) => {
    buckets++
    const endpoint = `${store.url}/pictures/folder-${buckets}`
    return openFiles({ kind: 's3', endpoint, ...credentials, ...more })
  }
  before(() => store.admit(credentials))
  filesContract(() => open())

  test('a file is kept under the folder of the address, with its type', async () => {
    await (await open()).put('ada-1.webp', picture, 'image/webp')
    assert.equal(store.typeOf(`/pictures/folder-${buckets}/ada-1.webp`), 'image/webp')
  })

  test('a wrong key is an error for every call, and the error does not contain the key', async () => {
    const secretAccessKey = 'another-secret-of-nobody'
    const files = await open({ secretAccessKey })
    const calls = [
      () => files.put('ada-1.webp', picture, 'image/webp'),
      () => files.get('ada-1.webp'),
      () => files.remove('ada-1.webp'),
    ]
    for (const call of calls) {
      await assert.rejects(call, (error: Error) => {
        assert.match(error.message, /403/)
        assert.ok(!JSON.stringify([error, error.message, error.stack]).includes(secretAccessKey))
        return true
      })
    }
  })

  test('failed operations are reported, and those on absent files are not', async () => {
    const failed: string[] = []
    const endpoint = `${store.url}/pictures/counted`
    const files = await openFiles({ kind: 's3', endpoint, ...credentials }, (operation) => failed.push(operation))
    assert.equal(await files.get('ada-1.webp'), undefined)
    store.answerWith(500)
    await assert.rejects(files.get('ada-1.webp'))
    store.answerWith(500)
    await assert.rejects(files.put('ada-1.webp', picture, 'image/webp'))
    assert.deepEqual(failed, ['get', 'put'])
  })

  test('a store that fails, is missing or redirects is an error, never an absent file', async () => {
    const files = await open()
    for (const status of [500, 503, 301, 307]) {
      store.answerWith(status)
      await assert.rejects(files.get('ada-1.webp'), String(status))
      await assert.rejects(files.put('ada-1.webp', picture, 'image/webp'), String(status))
      await assert.rejects(files.remove('ada-1.webp'), String(status))
    }
    store.answerWith(undefined)
    const nowhere = await open({ endpoint: 'http://127.0.0.1:9/pictures' })
    await assert.rejects(nowhere.get('ada-1.webp'))
  })
})
