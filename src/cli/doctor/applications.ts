import { findApplications } from '../../applications/queries.ts'
import { findWithoutEffect } from '../../applications/without-effect.ts'
import type { Config } from '../../config/load.ts'
import type { Database } from '../../db/connect.ts'
import { printable } from '../columns.ts'
import { type DoctorFinding, notice, ok } from './finding.ts'

const about = 'Applications'

export async function examineApplications({ db }: Database, config: Config): Promise<DoctorFinding> {
  const applications = await findApplications(db)
  const entries = findWithoutEffect(config, applications)
  const count = applications.filter(({ deleted_at }) => !deleted_at).length
  if (entries.length === 0) return ok(about, count === 0 ? 'none in the database' : `${count} in the database`)
  const lines = entries.map(({ of, address, reason }) => printable(`${of}: ${address} ${reason}`))
  return notice(about, ['some addresses have no effect: change or remove them', ...lines].join('\n'))
}
