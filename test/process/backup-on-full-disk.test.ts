import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWorkplace } from '../cli/run-command.ts'
import { newDeployment, registerAt, validateAt } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'

/** A small separate file system. Undefined if this user cannot mount a file system. */
function mountSmall(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'wardenry-small-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=192m,mode=700', 'tmpfs', directory])
  if (status === 0) return directory
  rmdirSync(directory)
  return undefined
}

const small = mountSmall()
process.once('exit', () => {
  if (!small) return
  spawnSync('umount', ['-l', small])
  rmdirSync(small)
})

/** Fills the file system, except for this many bytes. */
function fill(left: number): void {
  const { bavail, bsize } = statfsSync(small!)
  writeFileSync(join(small!, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

const options = { skip: small === undefined && 'mounting a small disk requires root' }

test('on a full disk, a backup leaves no file, and a restore can be repeated', options, async (t) => {
  const { runProcess: run, directory } = await openWorkplace(t)
  const env = { ...newDeployment(), DATA_DIR: join(directory, 'data') }
  const service = await startService(env)
  t.after(() => service.kill())
  const ada = await registerAt(service.url)
  fill(2_000)
  const full = await run(['backup', join(small!, 'b')], { env })
  assert.deepEqual([full.code, /disk is full/.test(full.stderr)], [1, true], full.stderr)
  assert.deepEqual(readdirSync(small!), ['filler'])
  assert.equal((await run(['backup', 'b'], { env })).code, 0)
  await service.stop()

  const target = { ...env, DATA_DIR: join(small!, 'target') }
  // The first size is too small for an empty database, and the second is too small for the restored tables.
  for (const left of [2_000_000, 9_000_000]) {
    rmSync(join(small!, 'filler'))
    fill(left)
    const { code, stderr } = await run(['restore', 'b'], { env: target })
    assert.equal(code, 1, `with ${left} bytes: ${stderr}`)
  }
  rmSync(join(small!, 'filler'))
  const again = await run(['restore', 'b'], { env: target })
  assert.equal(again.code, 0, again.stderr)
  const restored = await startService(target)
  t.after(() => restored.kill())
  assert.equal((await validateAt(restored.url, ada.sessionToken)).status, 401)
})

test('a copy for a backup is refused where it would fill the disk of the service', options, async (t) => {
  for (const name of readdirSync(small!)) rmSync(join(small!, name), { recursive: true, force: true })
  const { runProcess: run, directory } = await openWorkplace(t)
  const env = { ...newDeployment(), DATA_DIR: join(small!, 'data') }
  const service = await startService(env)
  t.after(() => service.kill())
  const ada = await registerAt(service.url)
  fill(60_000_000)
  const { code, stderr } = await run(['backup', join(directory, 'b')], { env })
  assert.equal(code, 1)
  assert.match(stderr, /needs \d+ MB of free space in the data directory.*Only \d+ MB are free/)
  assert.deepEqual(readdirSync(directory), [])
  assert.equal((await validateAt(service.url, ada.sessionToken)).status, 200)
})
