import { findApplications } from '../../applications/queries.ts'
import { findImpossible, offeredMethodNames } from '../../applications/sign-in-methods.ts'
import { findWithoutEffect } from '../../applications/without-effect.ts'
import type { Config } from '../../config/load.ts'
import { withStored } from '../../config/stored-values.ts'
import type { Database } from '../../db/connect.ts'
import { findStored } from '../../stored-settings/queries.ts'
import { printable } from '../columns.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'

const about = 'Applications'

const nobody =
  'nobody can sign in to some applications: change their sign_in_methods, or the settings, which allow only'

export async function examineApplications({ db }: Database, start: Config): Promise<DoctorFinding> {
  const { config } = withStored(start, await findStored(db))
  const applications = await findApplications(db)
  const impossible = findImpossible(config, applications).map(({ key, sign_in_methods }) =>
    printable(`${key}: ${sign_in_methods.join(', ')}`),
  )
  if (impossible.length > 0)
    return problem(about, [`${nobody} ${offeredMethodNames(config).join(', ')}`, ...impossible].join('\n'))
  const entries = findWithoutEffect(config, applications)
  const count = applications.filter(({ deleted_at }) => !deleted_at).length
  if (entries.length === 0) return ok(about, count === 0 ? 'none in the database' : `${count} in the database`)
  const lines = entries.map(({ of, address, reason }) => printable(`${of}: ${address} ${reason}`))
  return notice(about, ['some addresses have no effect: change or remove them', ...lines].join('\n'))
}
