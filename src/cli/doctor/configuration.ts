import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Setting } from '../../config/kinds.ts'
import { type Config, ConfigError } from '../../config/load.ts'
import { settings } from '../../config/settings.ts'
import { explain } from '../fail.ts'
import { loadChecked } from '../load-checked.ts'
import { type Finding, ok, problem } from './finding.ts'

export type Environment = Record<string, string | undefined>

const about = 'Configuration'

interface Found {
  config?: Config
  finding: Finding
}

export async function readConfiguration(environment: Environment): Promise<Found> {
  const dataDir = environment.DATA_DIR || settings.DATA_DIR.shownDefault
  const copy = copySecrets(dataDir)
  try {
    const config = { ...(await loadChecked({ ...environment, DATA_DIR: copy })), DATA_DIR: dataDir }
    return { config, finding: ok(about, `${config.NODE_ENV}, ${countGiven(environment)} settings given`) }
  } catch (error) {
    const text = error instanceof ConfigError ? error.problems.join('\n') : explain(error)
    return { finding: problem(about, text.replaceAll(copy, dataDir)) }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** The start makes missing secrets and keeps them; looking at an installation must not, and so looks at a copy. */
function copySecrets(dataDir: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'wardenry-doctor-'))
  const file = join(dataDir, 'secrets.json')
  if (existsSync(file)) copyFileSync(file, join(copy, 'secrets.json'))
  return copy
}

const countGiven = (environment: Environment): number =>
  Object.entries<Setting<unknown>>(settings).filter(([name, { aliases }]) =>
    [name, ...aliases].some((one) => environment[one] || environment[`${one}_FILE`]),
  ).length
