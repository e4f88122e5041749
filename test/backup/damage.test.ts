import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { addFileSum } from '../../src/backup/file-sum.ts'
import { formatVersion } from '../../src/backup/format.ts'
import { readBackup } from '../../src/backup/read-backup.ts'
import { readTar, tarEnd, tarEntry } from '../../src/backup/tar.ts'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { backUp, openEmpty, restore } from './support.ts'

const passphrase = 'moss on the northern wall'
let app: TestApp
let directory: string
before(async () => {
  app = await startTestApp()
  directory = await mkdtemp(join(tmpdir(), 'wardenry-backup-'))
  await registered(app, 'ada')
  await registered(app, 'grace')
  await backUp(app, join(directory, 'plain'))
  await backUp(app, join(directory, 'encrypted'), { passphrase, secrets: Buffer.from('{"AUTH_SECRET":"canary"}') })
})
after(async () => {
  await app?.stop()
  await rm(directory, { recursive: true, force: true })
})

const changed = async (name: string, change: (bytes: Buffer) => Buffer): Promise<string> => {
  const path = join(directory, `${name}.changed`)
  await writeFile(path, change(await readFile(join(directory, name))))
  return path
}

const read = (path: string, secret?: string) => readBackup({ path, passphrase: secret }, {})

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x10
  return copy
}

/** Evenly spaced numbers. Encrypted files use fewer because deriving a key takes half a second. */
const spread = (count: number, from: number, to: number): number[] =>
  Array.from({ length: count }, (_, index) => from + Math.floor(((to - from) * index) / (count - 1)))

for (const [name, secret] of [
  ['plain', undefined],
  ['encrypted', passphrase],
] as const) {
  describe(`a backup that is ${name}`, () => {
    test('is read, and contains what it describes', async () => {
      const { header, end } = await read(join(directory, name), secret)
      assert.equal(header.format, formatVersion)
      assert.equal(end.parts.find(({ part }) => part === 'tables/users')?.count, 2)
      assert.equal(
        end.parts.some(({ part }) => part === 'secrets'),
        name === 'encrypted',
      )
    })

    test('is refused if any byte was changed', async () => {
      const { size } = await stat(join(directory, name))
      const places = spread(secret ? 16 : 400, 0, size - 1)
      for (const at of places) {
        const path = await changed(name, (bytes) => flipped(bytes, at))
        await assert.rejects(read(path, secret), /damaged|not a backup|passphrase is wrong/, `byte ${at} of ${size}`)
      }
    })

    test('is refused if its end is missing, wherever it was cut off', async () => {
      const { size } = await stat(join(directory, name))
      for (const length of [0, 1, 9, 30, 60, 200, ...spread(secret ? 12 : 30, 201, size - 2), size - 1]) {
        const path = await changed(name, (bytes) => bytes.subarray(0, length))
        await assert.rejects(read(path, secret), /damaged|not a backup/, `${length} of ${size} bytes`)
      }
    })
  })
}

describe('an encrypted backup', () => {
  test('needs the right passphrase', async () => {
    const path = join(directory, 'encrypted')
    await assert.rejects(read(path), /is encrypted: pass --passphrase-file/)
    await assert.rejects(read(path, `${passphrase}!`), /passphrase is wrong/)
  })

  test('contains no text of the data', async () => {
    const bytes = await readFile(join(directory, 'encrypted'))
    assert.equal(bytes.includes('example.com'), false)
  })

  test('is refused if its chunks were exchanged, repeated or removed, or if others follow', async (t) => {
    const chunk = 64 * 1024 + 16
    const beginning = 'wardenry encrypted backup, format 1\n'.length + 16
    // Random names do not compress, so the file has several chunks.
    await sql`INSERT INTO rate_limits (key, count, resets_at)
      SELECT md5(random()::text) || md5(random()::text), 1, now() FROM generate_series(1, 20000)`.execute(app.ctx.db)
    const name = 'long'
    await backUp(app, join(directory, name), { passphrase })
    const whole = await readFile(join(directory, name))
    const parts = (bytes: Buffer) =>
      [0, 1, 2].map((at) => bytes.subarray(beginning + at * chunk, beginning + (at + 1) * chunk))
    assert.ok(whole.length > beginning + 4 * chunk)
    await read(join(directory, name), passphrase)
    const [one, two, three] = parts(whole) as [Buffer, Buffer, Buffer]
    const head = whole.subarray(0, beginning)
    const tail = whole.subarray(beginning + 3 * chunk)
    const changes = {
      exchanged: [head, one, three, two, tail],
      repeated: [head, one, one, two, three, tail],
      removed: [head, one, three, tail],
      'cut off between chunks': [head, one, two, three],
      followed: [whole, one],
    }
    for (const [what, pieces] of Object.entries(changes)) {
      await t.test(what, async () => {
        const path = await changed(name, () => Buffer.concat(pieces))
        await assert.rejects(read(path, passphrase), /an encrypted part was changed, or the end is missing/)
      })
    }
  })
})

describe('an archive that was assembled again', () => {
  test('is refused if rows were changed, removed or added', async () => {
    const rows = (change: (text: string) => string) => ({
      'tables/users/00000001.jsonl': (content: Buffer) => Buffer.from(change(content.toString())),
    })
    const first = (text: string) => text.slice(0, text.indexOf('\n') + 1)
    await assert.rejects(read(await rebuilt(rows((text) => text.replace('customer', 'superadmin')))), /damaged/)
    await assert.rejects(read(await rebuilt(rows(first))), /damaged/)
    await assert.rejects(read(await rebuilt(rows((text) => text + first(text)))), /damaged/)
  })

  test('is refused if more rows follow each other than fit into memory', async () => {
    const change = () => Buffer.from('[]\n'.repeat(2_000_000))
    const path = await rebuilt({ 'tables/users/00000001.jsonl': change }, { withSum: true })
    await assert.rejects(read(path), /it contains too many rows in one part/)
  })

  test('is refused if its description was changed', async () => {
    const change = (content: Buffer) =>
      Buffer.from(content.toString().replace('"none"', '"included"').replace('"id": "0', '"id": "1'))
    await assert.rejects(read(await rebuilt({ 'backup.json': change })), /its checksum does not match/)
  })

  test('is refused if only the checksum of the whole archive was recalculated', async () => {
    const change = (content: Buffer) => Buffer.from(content.toString().replace('customer', 'superadmin'))
    const path = await rebuilt({ 'tables/users/00000001.jsonl': change }, { withSum: true })
    await assert.rejects(read(path), /the checksum of the part "tables\/users" does not match/)
  })

  test('is refused if its description or its end does not have the expected form', async () => {
    const changeJson = (change: (value: Record<string, unknown>) => unknown) => (content: Buffer) =>
      Buffer.from(JSON.stringify(change(JSON.parse(content.toString()))))
    const migration = { version: 1, name: '001_users.sql', checksum: 'x' }
    const changes: [string, (value: Record<string, unknown>) => unknown][] = [
      ['backup.json', () => null],
      ['backup.json', (header) => ({ ...header, tables: [{ name: 'users' }] })],
      ['backup.json', ({ secrets, ...header }) => header],
      ['backup.json', (header) => ({ ...header, migrations: [null] })],
      ['backup.json', (header) => ({ ...header, created_at: '9999-99-99T99:99:99Z' })],
      ['backup.json', (header) => ({ ...header, migrations: [{ ...migration, applied_at: 'never' }] })],
      ['backup.json', (header) => ({ ...header, tables: [{ name: '\u001b[2J', columns: [] }] })],
      ['backup.json', (header) => ({ ...header, wardenry: '1\u0007' })],
      ['end.json', () => null],
      ['end.json', (end) => ({ ...end, parts: 'none' })],
      ['end.json', ({ parts, ...end }) => end],
    ]
    for (const [entry, change] of changes) {
      const path = await rebuilt({ [entry]: changeJson(change) }, { withSum: entry === 'backup.json' })
      await assert.rejects(read(path), /damaged or incomplete: its description cannot be read/)
    }
  })

  test('is refused if the name of a picture has another form', async () => {
    const path = await rebuilt({}, { withSum: true, more: { name: 'files/secrets.webp', content: Buffer.from('x') } })
    await assert.rejects(read(path), /it contains an unknown part/)
  })

  test('is refused if it is of a later format', async () => {
    const later = (content: Buffer) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(content.toString()), format: 2, wardenry: '9.0.0' }))
    await assert.rejects(read(await rebuilt({ 'backup.json': later })), /install Wardenry 9\.0\.0 or later/)
  })
})

test('a damaged backup restores nothing', async (t) => {
  const target = await openEmpty(t)
  const path = await changed('plain', (bytes) => flipped(bytes, bytes.length - 20))
  await assert.rejects(restore(app, target, path), /damaged/)
  assert.equal(
    (await sql`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`.execute(target.db)).rows.length,
    0,
  )
})

test('text that is no backup is refused', async () => {
  const path = join(directory, 'text')
  await writeFile(path, 'CREATE TABLE users ();')
  await assert.rejects(read(path), /text is not a backup of Wardenry/)
})

/** Repacks the plain backup after changing these entries. Updates the backup's checksum only if `withSum` is set. */
async function rebuilt(
  changes: Record<string, (content: Buffer) => Buffer>,
  { withSum = false, more }: { withSum?: boolean; more?: { name: string; content: Buffer } } = {},
): Promise<string> {
  const unpacked = gunzipSync(await readFile(join(directory, 'plain')))
  const pieces: Buffer[] = []
  const sum = createHash('sha256')
  const archive = (async function* () {
    yield unpacked
  })()
  for await (const { name, content } of readTar(archive)) {
    const isEnd = name === 'end.json' && withSum
    if (more && name === 'end.json') {
      pieces.push(tarEntry(more, new Date()))
      sum.update(pieces.at(-1)!)
    }
    const summed = () => Buffer.from(JSON.stringify({ ...JSON.parse(content.toString()), sha256: sum.digest('hex') }))
    const piece = tarEntry({ name, content: isEnd ? summed() : (changes[name]?.(content) ?? content) }, new Date())
    if (!isEnd) sum.update(piece)
    pieces.push(piece)
  }
  const path = join(directory, 'rebuilt')
  const packed = async function* () {
    yield gzipSync(Buffer.concat([...pieces, tarEnd()]))
  }
  await writeFile(path, addFileSum(packed()))
  return path
}

test('with a passphrase, a backup that is not encrypted is refused', async () => {
  await assert.rejects(read(join(directory, 'plain'), passphrase), /not encrypted, so anybody could have made it/)
})

test('secrets are accepted from encrypted backups only', async () => {
  const path = join(directory, 'forged')
  await backUp(app, path, { secrets: Buffer.from('{}') })
  await assert.rejects(read(path), /unknown part/)
})
