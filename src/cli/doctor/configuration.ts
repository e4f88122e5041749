import type { Setting } from '../../config/kinds.ts'
import { type Config, ConfigError } from '../../config/load.ts'
import { settings } from '../../config/settings.ts'
import { explain } from '../fail.ts'
import { loadChecked } from '../load-checked.ts'
import { type DoctorFinding, ok, problem } from './finding.ts'

export type EnvironmentVariables = Record<string, string | undefined>

const about = 'Configuration'

interface ConfigurationFinding {
  config?: Config
  finding: DoctorFinding
}

/** Missing secrets are generated in memory only. */
export async function readConfiguration(environment: EnvironmentVariables): Promise<ConfigurationFinding> {
  try {
    const config = await loadChecked(environment, 'look')
    return { config, finding: ok(about, `${config.NODE_ENV}, ${countSet(environment)} settings given`) }
  } catch (error) {
    return { finding: problem(about, error instanceof ConfigError ? error.problems.join('\n') : explain(error)) }
  }
}

const countSet = (environment: EnvironmentVariables): number =>
  Object.entries<Setting<unknown>>(settings).filter(([name, { aliases }]) =>
    [name, ...aliases].some((one) => environment[one] || environment[`${one}_FILE`]),
  ).length
