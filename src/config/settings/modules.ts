import { bool, duration, list, optionalText, type Setting, SettingProblem } from '../kinds.ts'

const moduleTarget = (item: string) =>
  /^[a-z0-9][a-z0-9-]{0,63}(:[a-z0-9][a-z0-9-]*(\+[a-z0-9][a-z0-9-]*)*)?$/.test(item)
    ? item
    : new SettingProblem(`"${item}" is not of the form <module>, <module>:all or <module>:<component>+<component>`)

const folder = (item: string) => (/\p{Cc}/u.test(item) ? new SettingProblem('has a control character in a path') : item)

const slug = (value: string) =>
  /^[a-z0-9][a-z0-9-]{0,63}$/.test(value) ? undefined : 'must have lower-case letters, digits and - only, at most 64'

export const moduleHubSettings = {
  MODULES_AUTO_INSTALL: list(
    'modules to install at startup: `<module>`, `<module>:all`, `<module>:<component>+<component>`, or `all`',
    moduleTarget,
  ),
  MODULE_PATHS: list(
    'folders that contain your own modules, absolute or relative to the working directory; their code runs in the service',
    folder,
  ),
  MODULES_AUTO_UPGRADE: bool(true, 'upgrade installed modules at startup'),
  RUNTIME_SCOPE: {
    ...optionalText(
      'runtime scope of modules installed at startup or from the command line; HTTP requests specify `runtime_scope` instead',
      { check: slug, shown: 'service-core' },
    ),
    fallback: 'service-core',
  } as Setting<string>,
  MODULE_RUN_TIMEOUT: duration(
    '10m',
    '10s',
    '14m',
    'time limit for installing a module; if it is exceeded, the installation is rolled back',
  ),
} as const
