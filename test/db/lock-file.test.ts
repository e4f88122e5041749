// Setup: embedded database
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, type TestContext, test } from 'node:test'
import { acquireLockFile, DataDirectoryBusy } from '../../src/db/lock-file.ts'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'wardenry-lock-'))
})
after(() => rm(home, { recursive: true, force: true }))

const newDirectory = () => mkdtemp(join(home, 'data-'))
const lockFileOf = (dataDir: string) => join(dataDir, 'wardenry.lock')
const readLock = async (dataDir: string) => JSON.parse(await readFile(lockFileOf(dataDir), 'utf8'))

async function take(t: TestContext, dataDir: string) {
  const lock = await acquireLockFile(dataDir)
  t.after(lock.release)
  return lock
}

describe('the lock of a data directory', () => {
  test('names its owner, is private, and leaves nothing behind when it is released', async (t) => {
    const dataDir = join(await newDirectory(), 'new')
    const lock = await take(t, dataDir)
    assert.equal((await readLock(dataDir)).pid, process.pid)
    assert.equal((await stat(lockFileOf(dataDir))).mode & 0o777, 0o600)
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
    await lock.release()
    assert.deepEqual(await readdir(dataDir), [])
  })

  test('is refused to a second taker in the same process, and free again after the release', async (t) => {
    const dataDir = await newDirectory()
    const lock = await take(t, dataDir)
    await assert.rejects(acquireLockFile(dataDir), DataDirectoryBusy)
    await lock.release()
    await take(t, dataDir)
  })

  test('released twice, it does not take away the lock of the next owner', async (t) => {
    const dataDir = await newDirectory()
    const first = await take(t, dataDir)
    await first.release()
    await take(t, dataDir)
    await first.release()
    await assert.rejects(acquireLockFile(dataDir), DataDirectoryBusy)
  })
})

describe('a running owner', () => {
  test('keeps the lock, and the rejection names its process, the directory and what to do', async (t) => {
    const dataDir = await newDirectory()
    const owner = await startOwner(t, dataDir)
    await assert.rejects(acquireLockFile(dataDir), (error) => {
      assert.ok(error instanceof DataDirectoryBusy)
      assert.ok(error.message.includes(`${owner.pid}`))
      assert.ok(error.message.includes(dataDir))
      assert.match(error.message, /stop that process/i)
      return true
    })
  })

  test('keeps the lock however old the file is, even while it is stopped', async (t) => {
    const dataDir = await newDirectory()
    const owner = await startOwner(t, dataDir)
    await utimes(lockFileOf(dataDir), 0, 0)
    owner.kill('SIGSTOP')
    await assert.rejects(acquireLockFile(dataDir), DataDirectoryBusy)
  })

  test('keeps the lock when its number means nothing here, because it runs in another container', async (t) => {
    const dataDir = await newDirectory()
    const owner = await startOwner(t, dataDir)
    // What an owner in another PID namespace would have written.
    const written = await readLock(dataDir)
    await writeFile(lockFileOf(dataDir), JSON.stringify({ ...written, pid: 1, namespace: 'pid:[1]' }))
    await assert.rejects(acquireLockFile(dataDir), DataDirectoryBusy)
    await kill(owner)
    await take(t, dataDir)
  })
})

describe('a dead owner', () => {
  test('killed with SIGKILL, it loses the lock to the next process, which removes all its files', async (t) => {
    const dataDir = await newDirectory()
    const owner = await startOwner(t, dataDir)
    await kill(owner)
    const lock = await take(t, dataDir)
    assert.equal((await readLock(dataDir)).pid, process.pid)
    await lock.release()
    assert.deepEqual(await readdir(dataDir), [])
  })

  test('loses the lock when its number now belongs to another process', async (t) => {
    const dataDir = await newDirectory()
    await leaveLock(dataDir, { started: '1' })
    await take(t, dataDir)
  })

  test('loses the lock when the system has been restarted since', async (t) => {
    const dataDir = await newDirectory()
    await leaveLock(dataDir, { boot: 'another boot' })
    await take(t, dataDir)
  })

  test('loses the lock when it died while taking over from another dead one', async (t) => {
    const dataDir = await newDirectory()
    await leaveLock(dataDir, { started: '1' })
    await writeFile(`${lockFileOf(dataDir)}.next`, await readFile(lockFileOf(dataDir)))
    const lock = await take(t, dataDir)
    await lock.release()
    assert.deepEqual(await readdir(dataDir), [])
  })

  test('loses the lock to exactly one of many processes that ask at the same moment', async (t) => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => startProcess(t)))
    for (let round = 0; round < 10; round++) {
      const dataDir = await newDirectory()
      await leaveLock(dataDir, { started: '1' })
      const outcomes = await Promise.all(owners.map(({ ask }) => ask(dataDir)))
      assert.deepEqual(outcomes.toSorted(), [...Array(5).fill('DATA_DIRECTORY_BUSY'), 'taken'])
      assert.equal((await readLock(dataDir)).pid, owners[outcomes.indexOf('taken')]?.child.pid)
    }
  })

  test('loses the lock to exactly one of many that ask inside one process', async () => {
    for (let round = 0; round < 20; round++) {
      const dataDir = await newDirectory()
      await leaveLock(dataDir, { started: '1' })
      const takers = await Promise.allSettled(Array.from({ length: 20 }, () => acquireLockFile(dataDir)))
      const taken = takers.filter((taker) => taker.status === 'fulfilled')
      assert.equal(taken.length, 1)
      await taken[0]?.value.release()
      assert.deepEqual(await readdir(dataDir), [])
    }
  })
})

describe('a lock file that does not name its owner', () => {
  const damaged = ['', '{', '{}', '12', 'null', '\0'.repeat(180)]

  test('is replaced when no process uses the directory', async (t) => {
    for (const content of damaged) {
      const dataDir = await newDirectory()
      await writeFile(lockFileOf(dataDir), content)
      const lock = await take(t, dataDir)
      assert.equal((await readLock(dataDir)).pid, process.pid)
      await lock.release()
      assert.deepEqual(await readdir(dataDir), [])
    }
  })

  test('is replaced when its owner was killed', async (t) => {
    const dataDir = await newDirectory()
    const owner = await startOwner(t, dataDir)
    await kill(owner)
    await writeFile(lockFileOf(dataDir), '')
    await take(t, dataDir)
  })

  test('is not replaced while its owner runs, even if the owner is stopped', async (t) => {
    const dataDir = await newDirectory()
    const owner = await startOwner(t, dataDir)
    for (const content of damaged) {
      await writeFile(lockFileOf(dataDir), content)
      await assert.rejects(acquireLockFile(dataDir), {
        code: 'DATA_DIRECTORY_BUSY',
        message: /A running process that the file does not name has it open/,
      })
    }
    owner.kill('SIGSTOP')
    await assert.rejects(acquireLockFile(dataDir), {
      code: 'DATA_DIRECTORY_BUSY',
      message: /A running process that the file does not name has it open/,
    })
  })

  test('is removed by the owner that releases it', async (t) => {
    const dataDir = await newDirectory()
    const lock = await take(t, dataDir)
    await writeFile(lockFileOf(dataDir), '')
    await lock.release()
    assert.deepEqual(await readdir(dataDir), [])
  })

  test('is not replaced while a process uses the directory that cannot be asked', async (t) => {
    const long = join(await newDirectory(), 'x'.repeat(120))
    const owner = await startOwner(t, long)
    const names = await readdir(long)
    assert.equal(names.filter((name) => name.endsWith('.silent')).length, 1)
    // A link to the same directory whose path is short enough for a socket.
    const dataDir = join(home, `short-${process.pid}`)
    await symlink(long, dataDir)
    await writeFile(lockFileOf(dataDir), '')
    await assert.rejects(acquireLockFile(dataDir), {
      code: 'DATA_DIRECTORY_BUSY',
      message: /cannot tell .* remove .*\.silent/,
    })
    await kill(owner)
  })

  test('passes to exactly one of many that ask at the same moment', async (t) => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => startProcess(t)))
    for (let round = 0; round < 10; round++) {
      const dataDir = await newDirectory()
      await writeFile(lockFileOf(dataDir), '')
      const outcomes = await Promise.all(owners.map(({ ask }) => ask(dataDir)))
      assert.deepEqual(outcomes.toSorted(), [...Array(5).fill('DATA_DIRECTORY_BUSY'), 'taken'])
    }
  })
})

/** Writes this process's lock file with these members changed. */
async function leaveLock(dataDir: string, changes: Record<string, unknown>): Promise<void> {
  const lock = await acquireLockFile(dataDir)
  const written = await readLock(dataDir)
  await lock.release()
  await writeFile(lockFileOf(dataDir), JSON.stringify({ ...written, token: 'dead', beacon: 'dead.alive', ...changes }))
}

/** A process that tries to lock each directory in its input, and keeps the locks that it acquires. */
async function startProcess(t: TestContext) {
  const module = new URL('../../src/db/lock-file.ts', import.meta.url).href
  const script = `
    import { acquireLockFile } from ${JSON.stringify(module)}
    import { createInterface } from 'node:readline'
    console.log('ready')
    for await (const dataDir of createInterface(process.stdin)) {
      console.log(await acquireLockFile(dataDir).then(() => 'taken', (error) => error.code))
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => kill(child))
  const lines = createInterface(child.stdout)
  await once(lines, 'line')
  const ask = async (dataDir: string): Promise<string> => {
    child.stdin.write(`${dataDir}\n`)
    const [outcome] = await once(lines, 'line')
    return outcome
  }
  return { child, ask }
}

async function startOwner(t: TestContext, dataDir: string): Promise<ChildProcess> {
  const { child, ask } = await startProcess(t)
  assert.equal(await ask(dataDir), 'taken')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
