import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { openWorkplace } from '../cli/run-command.ts'
import { loginAt, needsPostgres, newDatabase, newDeployment, registerAt } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import {
  checkOut,
  forBothReleases,
  hasFile,
  noPreviousRelease,
  previousRevision,
  removeTrees,
} from '../support/previous-release.ts'

const revision = previousRevision()
const skip = reasonToSkip()
after(removeTrees)

function reasonToSkip(): string | false {
  if (!revision) return noPreviousRelease
  return hasFile(revision, 'src/cli/backup/backup.ts') ? false : 'the previous release has no command "backup"'
}

interface Kind {
  options: { skip?: string | false | undefined }
  place(t: TestContext, directory: string): Promise<Record<string, string>>
}

const kinds: Record<string, Kind> = {
  embedded: { options: { skip }, place: async (_t, directory) => ({ DATA_DIR: directory }) },
  postgres: {
    options: { skip: skip || needsPostgres.skip },
    place: async (t, directory) => {
      const database = await newDatabase()
      t.after(() => database.drop())
      return { DATABASE_URL: database.url, DATA_DIR: directory }
    },
  },
}

for (const [kind, { options, place }] of Object.entries(kinds)) {
  test(`a backup of the previous release is restored by this one (${kind})`, options, async (t) => {
    const { runProcess: run, directory } = await openWorkplace(t)
    const deployment = forBothReleases(newDeployment())
    const source = { ...deployment, ...(await place(t, join(directory, 'source'))) }
    const tree = checkOut(revision!)
    const before = await startService(source, { tree })
    t.after(() => before.kill())
    const ada = await registerAt(before.url)
    const program = join(tree, 'src/cli/main.ts')
    const made = await run(['backup', 'b'], { env: source, program })
    assert.equal(made.code, 0, made.stderr)
    assert.equal(await before.stop(), 0)

    const target = { ...deployment, ...(await place(t, join(directory, 'target'))) }
    const restored = await run(['restore', 'b'], { env: target })
    assert.equal(restored.code, 0, restored.stderr)
    const current = await startService(target)
    t.after(() => current.kill())
    assert.equal((await loginAt(current.url, ada)).status, 200)
  })
}
