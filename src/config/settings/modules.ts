import { bool, duration, list, optionalText, Problem, type Setting } from '../kinds.ts'

const moduleTarget = (item: string) =>
  /^[a-z0-9][a-z0-9-]{0,63}(:[a-z0-9][a-z0-9-]*(\+[a-z0-9][a-z0-9-]*)*)?$/.test(item)
    ? item
    : new Problem(`"${item}" is not a module such as privacy, blog:all or blog:ext-views+ext-comments`)

const slug = (value: string) =>
  /^[a-z0-9][a-z0-9-]{0,63}$/.test(value) ? undefined : 'must have lower-case letters, digits and - only, at most 64'

export const modules = {
  MODULES_AUTO_INSTALL: list(
    'modules to install at start: `privacy`, `blog:all`, `blog:ext-a+ext-b`, or `all`',
    moduleTarget,
  ),
  MODULES_AUTO_UPGRADE: bool(true, 'a start brings installed modules up to the release'),
  RUNTIME_SCOPE: {
    ...optionalText(
      'scope in which starts and the command line look for installed modules; over HTTP, name it as `runtime_scope`',
      { check: slug, shown: 'service-core' },
    ),
    fallback: 'service-core',
  } as Setting<string>,
  MODULE_RUN_TIMEOUT: duration('10m', '10s', '14m', 'an installation that takes longer is rolled back'),
} as const
