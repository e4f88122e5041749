// Setup: embedded database
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { requestCopy } from '../../src/db/embedded/control-socket.ts'

async function ownerThatAnswers(t: TestContext, answer: object): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-socket-'))
  await mkdir(join(directory, 'control'))
  const server = createServer((caller) => caller.resume().end(`${JSON.stringify(answer)}\n`))
  await new Promise<void>((resolve) => server.listen(join(directory, 'control', 'socket'), resolve))
  t.after(async () => {
    server.close()
    await rm(directory, { recursive: true, force: true })
  })
  return directory
}

for (const [kind, answer] of Object.entries({
  'an absolute path': { directory: '/srv/other', name: '/srv/other' },
  'a path upwards': { directory: '../other', name: '../other' },
  nothing: {},
}))
  test(`the owner of the data directory cannot name ${kind} as the copy`, async (t) => {
    await assert.rejects(requestCopy(await ownerThatAnswers(t, answer)), /returned an unknown copy/)
  })

test('the copy is a directory, not a link', async (t) => {
  const name = 'copy-0123456789ab'
  const directory = await ownerThatAnswers(t, { name })
  await symlink(tmpdir(), join(directory, name))
  await assert.rejects(requestCopy(directory), /returned an unknown copy/)
})
