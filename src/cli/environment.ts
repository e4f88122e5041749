import { existsSync } from 'node:fs'
import type { SecretsMode } from '../config/generated-secrets.ts'
import type { Setting } from '../config/kinds.ts'
import { type Config, ConfigError } from '../config/load.ts'
import { settings } from '../config/settings.ts'
import { createLogger, type Logger } from '../lib/log.ts'
import { createLogOutput, type LogOutput } from '../lib/log-output.ts'
import { loadChecked } from './load-checked.ts'
import { readableLogLine } from './readable-log.ts'

export interface CommandEnvironment {
  config: Config
  log: Logger
  logOutput: LogOutput
}

type Environment = Record<string, string | undefined>

export function environment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return { ...process.env }
}

/**
 * The service logs to standard output. Commands write their results there, and log only warnings and errors to standard
 * error, as text for people.
 */
export async function readEnvironment(
  purpose: 'service' | 'command',
  values: Environment = environment(),
  secretsMode?: SecretsMode,
): Promise<CommandEnvironment> {
  try {
    const config = await loadChecked(values, secretsMode)
    const isService = purpose === 'service'
    const logOutput = createLogOutput(isService ? process.stdout : process.stderr)
    const level = isService || config.LOG_LEVEL === 'silent' ? config.LOG_LEVEL : 'warn'
    const write = isService ? logOutput.write : (line: string) => logOutput.write(readableLogLine(line))
    return { config, logOutput, log: createLogger(level, secretsOf(config), write) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    // EX_CONFIG from sysexits.h. Supervisors can distinguish this exit code from that of a crash.
    process.exit(78)
  }
}

const secretsOf = (config: Config): string[] =>
  Object.entries<Setting<unknown>>(settings)
    .filter(([, { secret }]) => secret)
    .flatMap(([name]) => textsOf(config[name as keyof Config]))

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map((entry) => entry.value) : []
}
