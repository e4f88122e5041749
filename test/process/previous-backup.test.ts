import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { openWorkplace } from '../cli/run-command.ts'
import { loginAt, needsPostgres, newDatabase, newDeployment, registerAt } from '../nodes/nodes.ts'
import { removeTrees } from '../support/checked-out.ts'
import { startService } from '../support/child.ts'
import { forBothReleases, migrationsIn, releasePairs } from '../support/previous-release.ts'

after(removeTrees)

interface Kind {
  options: { skip?: string | false }
  place(t: TestContext, directory: string): Promise<Record<string, string>>
}

const kinds: Record<string, Kind> = {
  embedded: { options: {}, place: async (_t, directory) => ({ DATA_DIR: directory }) },
  postgres: {
    options: needsPostgres,
    place: async (t, directory) => {
      const database = await newDatabase()
      t.after(() => database.drop())
      return { DATABASE_URL: database.url, DATA_DIR: directory }
    },
  },
}

for (const { name, older, newer } of releasePairs())
  for (const [kind, { options, place }] of Object.entries(kinds))
    test(`a backup of the older release is restored by the newer one: ${name} (${kind})`, options, async (t) => {
      const { runProcess, directory } = await openWorkplace(t)
      const run = (tree: string, args: string[], env: Record<string, string>) =>
        runProcess(args, { env, program: join(tree, 'bin/wardenry.js') })
      const deployment = forBothReleases(newDeployment())
      const source = { ...deployment, ...(await place(t, join(directory, 'source'))) }
      const before = await startService(source, { tree: older() })
      t.after(() => before.kill())
      const ada = await registerAt(before.url)
      const made = await run(older(), ['backup', 'b'], source)
      assert.equal(made.code, 0, made.stderr)
      assert.equal(await before.stop(), 0)

      const target = { ...deployment, ...(await place(t, join(directory, 'target'))) }
      const restored = await run(newer(), ['restore', 'b'], target)
      assert.equal(restored.code, 0, restored.stderr)
      for (const added of migrationsIn(newer()).slice(migrationsIn(older()).length))
        assert.ok(restored.stdout.includes(added), restored.stdout)
      const current = await startService(target, { tree: newer() })
      t.after(() => current.kill())
      assert.equal((await loginAt(current.url, ada)).status, 200)
    })
