import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { combinationProblems } from './check.ts'
import { generatedSecrets, type SecretsMode } from './generated-secrets.ts'
import { type ChangeableIn, type Setting, SettingProblem, type SettingValues } from './kinds.ts'
import { derivePasskeySettings } from './passkeys.ts'
import { type CoreSettings, moduleSettings, settings } from './settings.ts'
import { unknownNames } from './unknown-names.ts'

type Values = SettingValues<CoreSettings>

interface CoreConfig
  extends Omit<
    Values,
    | 'PUBLIC_URL'
    | 'FRONTEND_URL'
    | 'HASH_CONCURRENCY'
    | 'WORKERS'
    | 'ADMIN_SESSION_IDLE_TTL'
    | 'ADMIN_SESSION_ABSOLUTE_TTL'
    | 'AUTH_SECRET'
    | 'WEBAUTHN_RP_ID'
  > {
  readonly PUBLIC_URL: string
  readonly FRONTEND_URL: string
  readonly AUTH_SECRET: string
  readonly WEBAUTHN_RP_ID: string
  readonly HASH_CONCURRENCY: number
  readonly WORKERS: number
  readonly ADMIN_SESSION_IDLE_TTL: number
  readonly ADMIN_SESSION_ABSOLUTE_TTL: number
  readonly isProduction: boolean
  readonly generated: readonly string[]
  readonly relaxed: readonly string[]
  /** The settings given in the environment, as text. The values of secrets are omitted. */
  readonly given: Readonly<Record<string, string>>
}

/** Modules add their settings through declaration merging. */
export interface Config extends CoreConfig {}

/** The settings that can change at run time. Modules add theirs through declaration merging. */
export interface ChangeableSettings extends ChangeableIn<CoreSettings> {}

/** The settings that cannot change at run time. The type for code that stores the configuration for later use. */
export type FixedConfig = Omit<Config, keyof ChangeableSettings>

type Environment = Record<string, string | undefined>

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((one) => `  - ${one}`).join('\n')}`,
    )
    this.problems = problems
  }
}

export function loadConfig(environment: Environment): Config {
  const { config, problems } = readConfig(environment)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** If there are problems, use the configuration only to find other problems. */
export function readConfig(
  environment: Environment,
  secretsMode: SecretsMode = 'make',
): { config: Config; problems: string[] } {
  const problems = unknownNames(environment, settings)
  const values = {} as Record<string, unknown>
  const relaxed: string[] = []
  const given: Record<string, string> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const text = rawValue(environment, name, setting, problems)
    if (text !== undefined) given[name] = setting.secret ? '' : text
    const value = text === undefined ? fallbackOf(setting, values.NODE_ENV) : setting.read(text)
    if (text === undefined && value !== setting.fallback) relaxed.push(name)
    if (value instanceof SettingProblem) problems.push(`${name} ${value.message}`)
    values[name] = value instanceof SettingProblem ? setting.fallback : value
  }
  const read = values as unknown as Values
  const secrets = generatedSecrets(read, problems, secretsMode)
  const core = derive({ ...read, ...secrets.values }, environment, { generated: secrets.names, relaxed, given })
  // The type includes module settings, which are added here.
  const config = core as Config
  for (const { derive } of moduleSettings) Object.assign(config, derive?.(config))
  problems.push(...combinationProblems(config, read))
  return { config: Object.freeze(config), problems }
}

const fallbackOf = ({ fallback, developmentFallback = fallback }: Setting<unknown>, mode: unknown): unknown =>
  mode === 'production' ? fallback : developmentFallback

function rawValue(environment: Environment, name: string, setting: Setting<unknown>, problems: string[]) {
  const input = [name, ...setting.aliases].flatMap((one) => {
    const direct = environment[one]
    const file = setting.secret ? environment[`${one}_FILE`] : undefined
    if (direct && file) problems.push(`${one} and ${one}_FILE are both set: keep one`)
    const text = direct || (file && readSecretFile(`${one}_FILE`, file, problems))
    return text ? [text] : []
  })
  if (new Set(input).size > 1)
    problems.push(`${name} and its other name ${setting.aliases.join(', ')} differ: keep one`)
  return input[0]
}

function readSecretFile(name: string, path: string, problems: string[]): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text === '') problems.push(`${name} points to an empty file: ${path}`)
    return text
  } catch {
    problems.push(`${name} points to a file that cannot be read: ${path}`)
    return undefined
  }
}

function derive(
  values: Values,
  environment: Environment,
  notes: Pick<Config, 'generated' | 'relaxed' | 'given'>,
): CoreConfig {
  const isProduction = values.NODE_ENV === 'production'
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  const frontendUrl = values.FRONTEND_URL ?? publicUrl
  const cores = availableParallelism()
  const autoWorkers = values.DATABASE_URL === undefined ? 1 : cores
  const workers = values.WORKERS === 'auto' ? autoWorkers : values.WORKERS
  return {
    ...values,
    AUTH_SECRET: values.AUTH_SECRET ?? '',
    HOST: environment.HOST || (isProduction ? '0.0.0.0' : '127.0.0.1'),
    PUBLIC_URL: publicUrl,
    FRONTEND_URL: frontendUrl,
    WORKERS: workers,
    HASH_CONCURRENCY: values.HASH_CONCURRENCY ?? Math.ceil(cores / workers),
    ADMIN_SESSION_IDLE_TTL: values.ADMIN_SESSION_IDLE_TTL ?? values.SESSION_IDLE_TTL,
    ADMIN_SESSION_ABSOLUTE_TTL: values.ADMIN_SESSION_ABSOLUTE_TTL ?? values.SESSION_ABSOLUTE_TTL,
    ...derivePasskeySettings(values, { PUBLIC_URL: publicUrl, FRONTEND_URL: frontendUrl }),
    isProduction,
    ...notes,
  }
}
