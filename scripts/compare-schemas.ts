import { parseArgs } from 'node:util'
import { checkOut, removeTrees } from '../test/support/checked-out.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { createEmbedded, createOnServer, type Described } from './compare-schemas/create.ts'
import { differencesBetween } from './compare-schemas/differences.ts'
import { copyWorkingTree } from './compare-schemas/working-tree.ts'

// Creates databases with the schemas of two revisions, with all modules, on a PostgreSQL server and in the embedded
// database, and prints what differs. By default, it compares the last commit with the working tree.
const { positionals } = parseArgs({ allowPositionals: true })
const [base = 'HEAD', other] = positionals
if (positionals.length > 2) {
  process.stderr.write('usage: node scripts/compare-schemas.ts [revision] [other revision]\n')
  process.exit(2)
}

function report(database: string, before: Described, after: Described): boolean {
  const differences = differencesBetween(before, after)
  for (const difference of differences) process.stdout.write(`${difference}\n`)
  process.stdout.write(`${database}: ${before.size} and ${after.size} objects, ${differences.length} differences\n`)
  return differences.length === 0
}

const [before, after] = [checkOut(base), other === undefined ? copyWorkingTree() : checkOut(other)]
const server = await startPostgres()
try {
  const results = [
    report('PostgreSQL server', await createOnServer(before, server), await createOnServer(after, server)),
    report('embedded database', await createEmbedded(before), await createEmbedded(after)),
  ]
  if (results.includes(false)) process.exitCode = 1
} finally {
  await server.stop()
  await removeTrees()
}
