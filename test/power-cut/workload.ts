import { appendFileSync, statSync } from 'node:fs'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { abandoned, setup, stepOf } from './steps.ts'

// The arguments are the data directory, the archive, the trace, a file for acknowledged steps, and the number of steps.
// Each line in the file of acknowledged steps contains a step and the length of the trace when the step was
// acknowledged.
const [dataDir = '', archive, trace = '', journal = '', count = '0'] = process.argv.slice(2)
const acknowledge = (step: number): void => appendFileSync(journal, `${step} ${statSync(trace).size}\n`)

const database = await openEmbedded({ dataDir, archive })
await database.exec(`BEGIN; ${setup}; COMMIT`)
acknowledge(0)
for (let number = 1; number <= Number(count); number++) {
  const { isMaintenance, statements } = stepOf(number)
  await database.exec(isMaintenance ? statements.join(';') : ['BEGIN', ...statements, 'COMMIT'].join(';'))
  if (!isMaintenance) acknowledge(number)
  if (number % 7 === 0) await database.exec(abandoned(number).join(';'))
}
await database.close()
