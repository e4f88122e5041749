import type { SecretsMode } from '../config/generated-secrets.ts'
import { type Config, ConfigError, readConfig } from '../config/load.ts'
import type { ModuleDefinition } from '../hub/define-module.ts'

export async function loadChecked(
  environment: Record<string, string | undefined>,
  secretsMode: SecretsMode = 'make',
): Promise<Config> {
  const definitions = await declareModulesOf(environment)
  const { config, problems } = readConfig(environment, secretsMode)
  const all = [...problems, ...(await moduleProblems(config, definitions)), ...(await adminProblems(config))]
  if (all.length > 0) throw new ConfigError(all)
  return config
}

/** Call this before reading the configuration because modules declare settings. */
export async function declareModulesOf({ MODULE_PATHS: paths = '' }: Record<string, string | undefined>) {
  const { coreSettings } = await import('../config/settings.ts')
  const { allModules } = await import('../modules/external.ts')
  const read = coreSettings.MODULE_PATHS.read(paths)
  try {
    return await allModules({ MODULE_PATHS: Array.isArray(read) ? read : [] })
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}

async function moduleProblems(
  { MODULES_AUTO_INSTALL }: Config,
  definitions: readonly ModuleDefinition[],
): Promise<string[]> {
  if (MODULES_AUTO_INSTALL.length === 0) return []
  const { loadModules } = await import('../hub/load-modules.ts')
  const { installTargetProblems } = await import('../hub/install-targets.ts')
  return installTargetProblems(MODULES_AUTO_INSTALL, loadModules(definitions))
}

async function adminProblems(config: Config): Promise<string[]> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = config
  if (!ADMIN_EMAIL || !ADMIN_PASSWORD) return []
  const { canonicalEmail } = await import('../users/fields.ts')
  const { brokenRule, normalPassword } = await import('../passwords/policy.ts')
  const email = canonicalEmail(ADMIN_EMAIL)
  const broken = await brokenRule(config, normalPassword(ADMIN_PASSWORD), { email: email ?? ADMIN_EMAIL })
  return [
    ...(email ? [] : ['ADMIN_EMAIL must be one email address such as ada@example.com']),
    ...(broken ? [`ADMIN_PASSWORD ${broken}`] : []),
  ]
}
