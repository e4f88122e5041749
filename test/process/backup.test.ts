import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { commandEnvironment, openWorkplace } from '../cli/run-command.ts'
import { loginAt, needsPostgres, newDatabase, newDeployment, registerAt, validateAt } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import { forShortRuns } from '../support/node-options.ts'
import { assertKept, halfDone, keepBusy, newJournal } from './journal.ts'

type Query = (text: string) => Promise<unknown[]>

/** The settings for a new, empty database, and a function that queries it while no service uses it. */
interface Place {
  settings: Record<string, string>
  look<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
}

async function embeddedPlace(directory: string, name: string): Promise<Place> {
  const dataDir = join(directory, name)
  return {
    settings: { DATA_DIR: dataDir },
    async look(work) {
      const embedded = await openEmbedded({ dataDir, archive: undefined })
      return work((text) => embedded.query(text)).finally(() => embedded.close())
    },
  }
}

async function serverPlace(t: TestContext, directory: string, name: string): Promise<Place> {
  const database = await newDatabase()
  t.after(() => database.drop())
  return {
    settings: { DATABASE_URL: database.url, DATA_DIR: join(directory, name) },
    look: (work) => work((text) => database.query(text)),
  }
}

const kinds = {
  embedded: {
    options: {},
    place: (_t: TestContext, directory: string, name: string) => embeddedPlace(directory, name),
  },
  postgres: { options: needsPostgres, place: serverPlace },
}

for (const [kind, { options, place }] of Object.entries(kinds)) {
  test(`a backup during writes contains a consistent state (${kind})`, options, async (t) => {
    const { run, runProcess, directory } = await openWorkplace(t)
    const deployment = newDeployment()
    const source = await place(t, directory, 'source')
    const service = await startService({ ...deployment, ...source.settings })
    t.after(() => service.kill())
    const journal = newJournal()
    const failures: unknown[] = []
    const load = keepBusy(service.url, journal, { pause: 100, onFailure: (error) => failures.push(error) })
    const before: string[][] = []
    for (const round of [1, 2, 3]) {
      await load.acknowledged(10 * round)
      before.push([...journal.emails])
      const { code, stderr } = await runProcess(['backup', `b${round}`], { env: { ...deployment, ...source.settings } })
      assert.equal(code, 0, stderr)
    }
    await load.stop()
    assert.deepEqual(failures, [], 'the service went on answering')
    await assertKept(service.url, journal)
    await service.stop()

    for (const [index, emails] of before.entries()) {
      const target = await place(t, directory, `target${index}`)
      const env = { ...deployment, ...target.settings }
      const restored = await run(['restore', `b${index + 1}`, '--keep-sessions'], { env })
      assert.equal(restored.code, 0, restored.stderr)
      await target.look(async (query) => {
        for (const [what, question] of Object.entries(halfDone)) assert.deepEqual(await query(question), [], what)
        const users = (await query('SELECT email FROM users')) as { email: string }[]
        const found = new Set(users.map(({ email }) => email))
        assert.deepEqual(
          emails.filter((email) => !found.has(email)),
          [],
          'all that was acknowledged before',
        )
      })
    }
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.includes('partial')),
      [],
    )
    const left = readdirSync(source.settings.DATA_DIR ?? '')
    assert.deepEqual(
      left.filter((name) => name.startsWith('copy-')),
      [],
      'no copy of the database is left',
    )
  })

  test(
    `a killed restore leaves nothing that a service would use, and can be repeated (${kind})`,
    options,
    async (t) => {
      const { run, directory } = await openWorkplace(t)
      const deployment = newDeployment()
      const source = await place(t, directory, 'source')
      const service = await startService({ ...deployment, ...source.settings })
      t.after(() => service.kill())
      const ada = await registerAt(service.url)
      await service.stop()
      assert.equal((await run(['backup', 'b'], { env: { ...deployment, ...source.settings } })).code, 0)
      const target = await place(t, directory, 'target')
      const env = { ...deployment, ...target.settings }
      for (const after of [300, 900, 1_500, 2_100]) await killedRestore(directory, env, after)

      const { code, stderr } = await run(['restore', 'b'], { env })
      // On a fast machine, the last restore may have finished before it was killed.
      if (code !== 0) assert.match(stderr, /is not empty/)
      const again = await startService(env)
      t.after(() => again.kill())
      assert.equal((await validateAt(again.url, ada.sessionToken)).status, 401)
      assert.equal((await loginAt(again.url, ada)).status, 200)
    },
  )
}

const wardenry = join(import.meta.dirname, '../../bin/wardenry.js')

async function killedRestore(directory: string, env: Record<string, string>, after: number): Promise<void> {
  const child = spawn(process.execPath, [...forShortRuns, wardenry, 'restore', 'b'], {
    cwd: directory,
    env: commandEnvironment(env),
    stdio: 'ignore',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), after)
  await once(child, 'close')
  clearTimeout(timer)
}

for (const [kind, { options, place }] of Object.entries(kinds)) {
  test(`the service does not start on a database whose restore was killed (${kind})`, options, async (t) => {
    const { run, runProcess, directory } = await openWorkplace(t)
    const deployment = newDeployment()
    const source = await place(t, directory, 'source')
    const service = await startService({ ...deployment, ...source.settings })
    t.after(() => service.kill())
    await service.stop()
    assert.equal((await run(['backup', 'b'], { env: { ...deployment, ...source.settings } })).code, 0)
    const target = await place(t, directory, 'target')
    const env = { ...deployment, ...target.settings }
    const assertRefused = async () => {
      const refused = await runProcess(['start'], { env })
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /being restored or moved to this database, or that was interrupted/)
    }
    await killedWhileReading(directory, env)
    await assertRefused()
    const whole = await readFile(join(directory, 'b'))
    await writeFile(join(directory, 'damaged'), whole.subarray(0, whole.length / 2))
    assert.equal((await run(['restore', 'damaged'], { env })).code, 1)
    await assertRefused()
    assert.equal((await run(['restore', 'b'], { env })).code, 0)
    const again = await startService(env)
    t.after(() => again.kill())
  })
}

/** Kills a restore that has opened its file, a named pipe, but has not read anything. */
async function killedWhileReading(directory: string, env: Record<string, string>): Promise<void> {
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  const child = spawn(process.execPath, [...forShortRuns, wardenry, 'restore', 'pipe'], {
    cwd: directory,
    env: commandEnvironment(env),
    stdio: 'ignore',
  })
  const closed = once(child, 'close')
  // Waits until the other end is open.
  const writer = await open(pipe, 'w')
  child.kill('SIGKILL')
  await closed
  await writer.close()
}

test('the service refuses a database whose restore was not completed, until the restore is', async (t) => {
  const { run, runProcess, directory } = await openWorkplace(t)
  const env = { ...newDeployment(), DATA_DIR: join(directory, 'data') }
  const service = await startService(env)
  t.after(() => service.kill())
  const ada = await registerAt(service.url)
  await service.stop()
  assert.equal((await run(['backup', 'b'], { env })).code, 0)
  const target = { ...env, DATA_DIR: join(directory, 'target') }
  assert.equal((await run(['restore', 'b', '--keep-sessions'], { env: target })).code, 0)
  const header = JSON.parse(
    (await runProcess(['backup', '-'], { env })).code === 0 ? await headerOf(join(directory, 'b')) : '',
  )
  const place = await embeddedPlace(directory, 'target')
  await place.look((query) =>
    query(`INSERT INTO installation_facts (fact, since, value) VALUES ('unusable_restore', now(), '${header.id}')`),
  )
  for (const args of [['start'], ['user', 'list'], ['backup', 'c']]) {
    const { code, stderr } = await runProcess(args, { env: target })
    assert.equal(code, 1)
    assert.match(stderr, /not completely restored.*Run "wardenry restore" again/)
  }
  const { code, stdout, stderr } = await run(['restore', 'b'], { env: target })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Ended 1 sessions/)
  const again = await startService(target)
  t.after(() => again.kill())
  assert.equal((await validateAt(again.url, ada.sessionToken)).status, 401)
})

async function headerOf(path: string): Promise<string> {
  const { readBackup } = await import('../../src/backup/read-backup.ts')
  return JSON.stringify((await readBackup({ path, passphrase: undefined }, {})).header)
}
