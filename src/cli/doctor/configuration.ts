import type { Setting } from '../../config/kinds.ts'
import { type Config, ConfigError } from '../../config/load.ts'
import { settings } from '../../config/settings.ts'
import { explain } from '../fail.ts'
import { loadChecked } from '../load-checked.ts'
import { type Finding, ok, problem } from './finding.ts'

export type Environment = Record<string, string | undefined>

const about = 'Configuration'

interface ConfigurationFinding {
  config?: Config
  finding: Finding
}

/** Generates missing secrets in memory only. */
export async function readConfiguration(environment: Environment): Promise<ConfigurationFinding> {
  try {
    const config = await loadChecked(environment, 'look')
    return { config, finding: ok(about, `${config.NODE_ENV}, ${countGiven(environment)} settings given`) }
  } catch (error) {
    return { finding: problem(about, error instanceof ConfigError ? error.problems.join('\n') : explain(error)) }
  }
}

const countGiven = (environment: Environment): number =>
  Object.entries<Setting<unknown>>(settings).filter(([name, { aliases }]) =>
    [name, ...aliases].some((one) => environment[one] || environment[`${one}_FILE`]),
  ).length
