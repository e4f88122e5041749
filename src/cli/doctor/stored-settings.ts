import type { Config } from '../../config/load.ts'
import { withStored } from '../../config/stored-values.ts'
import type { Database } from '../../db/connect.ts'
import { findStored } from '../../stored-settings/queries.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'

const about = 'Stored settings'

export async function examineStoredSettings({ db }: Database, config: Config): Promise<DoctorFinding> {
  const values = (await findStored(db)).filter(({ value }) => value !== null)
  const { ignored } = withStored(config, values)
  const hidden = values.filter(({ name }) => name in config.given).map(({ name }) => name)
  if (ignored.size > 0) {
    const lines = [...ignored].map(([name, reason]) => (reason.startsWith(name) ? reason : `${name} ${reason}`))
    return problem(
      about,
      ['some values are not valid and are ignored', ...lines, 'Change or reset them: wardenry settings.'].join('\n'),
    )
  }
  if (hidden.length > 0) return notice(about, `not used, because the environment sets them: ${hidden.join(', ')}`)
  const names = values.map(({ name }) => name).join(', ')
  return ok(about, names === '' ? 'none: all settings come from the environment or are defaults' : names)
}
