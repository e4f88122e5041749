import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsPostgres, newDatabase, newDeployment } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import { assertKept, halfDone, keepBusy, killRounds, newJournal } from './journal.ts'

const rounds = killRounds

test(
  `nodes on PostgreSQL killed ${rounds} times under load lose nothing, and the other node notices nothing`,
  needsPostgres,
  async (t) => {
    const database = await newDatabase()
    const settings = { ...newDeployment(), DATABASE_URL: database.url }
    const start = () => startService(settings)
    const nodes = [await start(), await start()]
    t.after(async () => {
      await Promise.all(nodes.map((node) => node.stop()))
      await database.drop()
    })
    const [journal, journalOfSurvivors] = [newJournal(), newJournal()]
    const failures: unknown[] = []
    for (let round = 0; round < rounds; round++) {
      const [victim, survivor] = round % 2 ? [nodes[1]!, nodes[0]!] : [nodes[0]!, nodes[1]!]
      const doomed = keepBusy(victim.url, journal)
      const load = keepBusy(survivor.url, journalOfSurvivors, {
        workers: 1,
        onFailure: (error) => failures.push(error),
      })
      await doomed.acknowledged(1 + Math.floor(Math.random() * 12))
      await victim.kill()
      const [next] = await Promise.all([start(), doomed.stop()])
      nodes[round % 2] = next
      await load.stop()
      await assertKept(survivor.url, journal)
    }
    for (const { url } of nodes) {
      await assertKept(url, journal)
      await assertKept(url, journalOfSurvivors)
    }
    assert.deepEqual(failures, [])
    for (const [what, question] of Object.entries(halfDone)) assert.deepEqual(await database.query(question), [], what)
    const users = (await database.query<{ email: string }>('SELECT email FROM users')).map(({ email }) => email)
    const emails = [...journal.emails, ...journalOfSurvivors.emails]
    assert.deepEqual(
      emails.filter((email) => !users.includes(email)),
      [],
    )
    assert.equal(new Set(emails).size, emails.length)
    t.diagnostic(`${rounds} kills, ${journal.emails.length} registrations on killed nodes, 0 lost`)
    t.diagnostic(`${journalOfSurvivors.emails.length} registrations on the other node meanwhile, 0 failed`)
  },
)
