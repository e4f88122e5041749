import { type Config, ConfigError, loadConfig } from '../../src/config/load.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import '../../src/modules/index.ts'

const directory = temporaryDirectory('config')

/** The configuration from an environment that contains only these variables. */
export const load = (environment: Record<string, string | undefined> = {}): Config =>
  loadConfig({ DATA_DIR: directory, ...environment })

/** An environment's problems, one sentence each. */
export function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    load(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
