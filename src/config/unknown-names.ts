import type { Setting } from './kinds.ts'
import { type NameSuggestion, suggestName } from './similar-names.ts'

type Environment = Record<string, string | undefined>
type Settings = Record<string, Setting<unknown>>

export function unknownNames(environment: Environment, settings: Settings): string[] {
  const known = Object.entries(settings).flatMap(([name, setting]) => withFile([name, ...setting.aliases], setting))
  // Names similar to an alias are accepted because other programs also use the aliases.
  const own = Object.entries(settings).flatMap(([name, setting]) => withFile([name], setting))
  const isIgnored = ignoring(environment, settings)
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || isOthers(name) || isIgnored(name)) return []
    const likeness = suggestName(name, own)
    return likeness ? [sentenceFor(name, likeness)] : []
  })
}

const withFile = (names: string[], { secret }: Setting<unknown>): string[] =>
  secret ? names.flatMap((name) => [name, `${name}_FILE`]) : names

function ignoring({ IGNORED_VARIABLES: text }: Environment, settings: Settings): (name: string) => boolean {
  const value = text ? settings.IGNORED_VARIABLES?.read(text) : []
  const ignored = Array.isArray(value) ? (value as string[]) : []
  return (name) => ignored.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
}

function sentenceFor(name: string, { closest, group }: NameSuggestion): string {
  const prefix = `${name} is not a setting (if another program reads it, add it to IGNORED_VARIABLES)`
  if (closest) return `${prefix}: did you mean ${closest}?`
  if (group.length <= 6) return `${prefix}: did you mean ${group.join(' or ')}?`
  return `${prefix}. The settings are listed in docs/configuration.md`
}

const others = [
  // Set by Kubernetes and Docker for services called "redis", "mail" or "database".
  /_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/,
  /^[A-Z0-9]+_ENV_/,
  // Used by X11 sessions, pass, GitLab, Google Cloud, Podman and Environment Modules.
  /^SESSION_MANAGER$/,
  /^PASSWORD_STORE_/,
  /^AUTO_DEVOPS_/,
  /^STORAGE_(EMULATOR_HOST|DRIVER|OPTS)$/,
  /^MODULEPATH$/,
  // The name that many programs give to the key of whatever service they call.
  /^API_KEY$/,
  // Variables of the OpenTelemetry specification and its Kubernetes operator that are not settings of this service.
  /^OTEL_(RESOURCE_ATTRIBUTES\w*|LOG_LEVEL|LOGS_EXPORTER|PROPAGATORS|ENTITIES|(NODE|POD)_(IP|NAME))$/,
  /^OTEL_EXPORTER_OTLP_(TIMEOUT|COMPRESSION|INSECURE|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE)$/,
  /^OTEL_EXPORTER_(OTLP_(TRACES|METRICS|LOGS|PROFILES)|ZIPKIN|JAEGER|PROMETHEUS)_\w+$/,
  /^OTEL_(METRIC_EXPORT_TIMEOUT|METRICS_EXEMPLAR_FILTER|(BSP|BLRP|ATTRIBUTE|SPAN|EVENT|LINK|LOGRECORD)_\w+)$/,
  /^OTEL_(NODE|PYTHON|JAVA|JAVAAGENT|DOTNET|GO|INSTRUMENTATION|INJECTOR|SEMCONV|EXPERIMENTAL|CONFIG)_\w+$/,
  /^MODULES?_(CMD|HOME|PATH|RUN_QUARANTINE|SET_SHELL_STARTUP|SHELL|VERSION)$/,
]

const isOthers = (name: string): boolean => others.some((pattern) => pattern.test(name))
