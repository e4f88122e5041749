import type { Config } from '../../config/load.ts'
import { withStored } from '../../config/stored-values.ts'
import type { Database } from '../../db/connect.ts'
import { findPresent } from '../../hub/find-components.ts'
import { loadModules } from '../../hub/load-modules.ts'
import { allModules } from '../../modules/external.ts'
import { findStored } from '../../stored-settings/queries.ts'
import { explain } from '../fail.ts'
import { type DoctorFinding, problem } from './finding.ts'

/** Only installed and enabled modules are asked. The failure of one does not hide the findings of the others. */
export async function examineWithModules({ db }: Database, start: Config): Promise<DoctorFinding[]> {
  const { config } = withStored(start, await findStored(db))
  const modules = loadModules(await allModules(start))
  const found = await findPresent(db, modules, config.RUNTIME_SCOPE)
  const findings: DoctorFinding[] = []
  for (const { id, examine, manifest, switches } of modules) {
    if (!examine || !found.get(id)?.get('core')?.present || !switches.every((name) => config[name])) continue
    findings.push(...(await examine(db, config).catch((error: unknown) => [problem(manifest.name, explain(error))])))
  }
  return findings
}
