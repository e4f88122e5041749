import type { Database } from '../../db/connect.ts'
import { shippedObjects } from '../../db/migrate.ts'
import { findLost, nameOfObject } from '../../db/sql-objects.ts'
import { type DoctorFinding, ok, problem } from './finding.ts'

const about = 'Schema'

export async function examineSchema({ db }: Database): Promise<DoctorFinding> {
  const objects = shippedObjects()
  const lost = await findLost(db, objects)
  if (lost.length === 0) return ok(about, `${objects.length} indexes, functions and triggers of the core, none missing`)
  const lines = lost.map((object) => `${nameOfObject(object)} (src/db/migrations/${object.file})`)
  const advice = 'Recreate them with their statements in these files.'
  return problem(about, ['objects are missing or disabled', ...lines, advice].join('\n'))
}
