import { test } from 'node:test'
import { migratedDatabase, needsPostgres, newDeployment } from '../nodes/nodes.ts'
import { startService, written } from '../support/child.ts'

test('a running node stops when its database was moved', needsPostgres, async (t) => {
  const database = await migratedDatabase()
  t.after(() => database.drop())
  const service = await startService({ ...newDeployment(), DATABASE_URL: database.url })
  t.after(() => service.kill())
  await database.query(
    "INSERT INTO installation_facts (fact, since, value) VALUES ('unusable_moved', now(), 'elsewhere')",
  )
  await written(service, /was moved to elsewhere/)
  await written(service, /"stopped"/)
})
