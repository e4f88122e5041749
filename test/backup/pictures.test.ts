import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { countInPart } from '../../src/backup/format.ts'
import { restoreTables } from '../../src/backup/restore.ts'
import { restoreBackup, verifyBackup } from '../../src/backup/restore-backup.ts'
import { assertUsable } from '../../src/db/installation-marks.ts'
import { drawn, pathOf, upload } from '../pictures/support.ts'
import { registered } from '../support/people.ts'
import { startS3Double } from '../support/s3-double.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { backUp, loaded, newDirectory, openEmpty, restore } from './support.ts'

async function withPicture(t: TestContext, env: Record<string, string>) {
  const app = await startTestApp({ env })
  t.after(() => app.stop())
  const ada = await registered(app)
  const { json, text } = await upload(app, ada.sessionToken, await drawn(200, 200).jpeg().toBuffer())
  assert.ok(json.data?.picture_url, text)
  return { app, path: pathOf(app, json.data.picture_url) }
}

const filesIn = async (path: string): Promise<number> =>
  countInPart((await verifyBackup({ path, passphrase: undefined })).end, 'files')

const bytesOf = async (app: TestApp, url: string): Promise<Buffer> =>
  (await app.http.inject({ method: 'GET', url })).rawPayload

test('pictures in a bucket are part of a backup only if asked for, and can be restored to a folder', async (t) => {
  const store = await startS3Double()
  t.after(() => store.stop())
  store.admit({ region: 'us-east-1', accessKeyId: 'AKID', secretAccessKey: 'secret' })
  const url = `${store.url.replace('http://', 's3://AKID:secret@')}/bucket?tls=false`
  const { app, path } = await withPicture(t, { STORAGE_URL: url })
  const directory = await newDirectory(t)
  await backUp(app, join(directory, 'names'), { pictures: 'kept_elsewhere' })
  assert.equal(await filesIn(join(directory, 'names')), 0)
  await backUp(app, join(directory, 'all'))
  assert.equal(await filesIn(join(directory, 'all')), 2, 'the picture and its thumbnail')

  let again: TestApp | undefined
  t.after(() => again?.stop())
  const target = await openEmpty(t)
  const local = { ...app, ctx: { ...app.ctx, config: { ...app.ctx.config, STORAGE_URL: { kind: 'local' as const } } } }
  const { pictures } = await restore(local, target, join(directory, 'all'), { dataDir: directory })
  assert.equal(pictures, 2)
  again = await startTestApp({ database: target, env: { DATA_DIR: directory } })
  assert.deepEqual(await bytesOf(again, path), await bytesOf(app, path))
})

test('a picture that was deleted after the snapshot is reported, and does not stop the backup', async (t) => {
  const { app, path } = await withPicture(t, {})
  const directory = await newDirectory(t)
  await app.ctx.files.remove(path.split('/').at(-1) ?? '')
  const written = await backUp(app, join(directory, 'backup'))
  assert.deepEqual([written.missingPictures, written.pictures], [1, 1])
  const { end } = await verifyBackup({ path: join(directory, 'backup'), passphrase: undefined })
  assert.deepEqual([end.missing_pictures, countInPart(end, 'files')], [1, 1])
})

test('pictures that nothing uses any longer are not missing', async (t) => {
  const { app, path } = await withPicture(t, {})
  const name = path.split('/').at(-1) ?? ''
  await app.ctx.db.updateTable('pictures').set({ unused_since: new Date() }).execute()
  await app.ctx.files.remove(name)
  const written = await backUp(app, join(await newDirectory(t), 'backup'))
  assert.equal(written.missingPictures, 0)
})

test('pictures are restored only from the file that was verified', async (t) => {
  const { app } = await withPicture(t, {})
  const directory = await newDirectory(t)
  const file = { path: join(directory, 'backup'), passphrase: undefined }
  await backUp(app, file.path)
  const verified = await verifyBackup(file)
  const target = await openEmpty(t)
  const options = { file, modules: loaded(), onProgress: () => {} }
  await restoreTables(target, { ...options, verified, now: new Date() })
  const other = { ...verified, end: { ...verified.end, sha256: 'that of another file' } }
  const config = { ...app.ctx.config, DATA_DIR: directory }
  await assert.rejects(
    restoreBackup(target, { ...options, verified: other, config, log: app.ctx.log, keepSessions: false }),
    /changed while it was read/,
  )
  await assert.rejects(assertUsable(target.db), /not completely restored/)
})
