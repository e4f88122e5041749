import { keepCurrent } from '../adapters/bus/keep-current.ts'
import type { FixedConfig } from '../config/load.ts'
import type { Context, ModuleColumn, ModuleState, PersonalData, Transaction, UserFilter } from '../context.ts'
import { second } from '../lib/time.ts'
import type { LoadedModule, ModuleSwitch } from './define-module.ts'
import { findPresent } from './find-components.ts'
import { findModulesOnceInstalled } from './queries.ts'
import { filtersOf } from './user-filter-queries.ts'

export interface InstalledModules extends ModuleState {
  readonly modules: readonly LoadedModule[]
  personalData(): readonly PersonalData[]
  /** Invalidates the links that modules have created, and returns their number. */
  voidLinks(ctx: Context): Promise<number>
  endCredentials(ctx: Context): Promise<number>
  sessionsEnded(tx: Transaction, userIds: readonly string[], ending: { reason: string }): Promise<void>
  /** The pages of installed and enabled modules. */
  pages(): readonly NonNullable<LoadedModule['pages']>[]
  refresh(): Promise<void>
  refreshAll(): Promise<void>
  readonly version: number
  stop(): void
}

/** The state is refreshed even without a message: messages may be lost, and none is sent when columns are dropped. */
const refreshEvery = 4 * second

interface Parts extends Pick<Context, 'db' | 'log' | 'bus'> {
  config: FixedConfig
  isOn(name: ModuleSwitch): boolean
}

interface Snapshot {
  /** Each entry has the form `module/component`. */
  installed: ReadonlySet<string>
  damaged: ReadonlySet<string>
  userColumns: readonly ModuleColumn[]
  userFilters: readonly UserFilter[]
}

/** Keeps the state in memory and refreshes it in the background so that requests need no query. */
export async function watchInstalled(parts: Parts, modules: readonly LoadedModule[]): Promise<InstalledModules> {
  const { log, isOn } = parts
  let current: Snapshot = { installed: new Set(), damaged: new Set(), userColumns: [], userFilters: [] }
  let version = 0
  const switches = new Map(modules.map((module) => [module.id, module.switches]))
  const declaredFilters = modules.flatMap((module) =>
    module.components.flatMap(({ component_id: id }) => filtersOf(module, id)),
  )
  const exportMembers = Object.assign({}, ...modules.map(({ personalData }) => personalData?.exported))
  const disabledFirst = new Set(modules.filter((module) => module.disabledFirst).map(({ id }) => id))

  const read = async () => {
    const next = await readSnapshot(parts, modules)
    if (sameNames(next.installed, current.installed) && sameNames(next.damaged, current.damaged)) return
    current = next
    version++
    log.info({ installed: [...next.installed] }, 'the installed modules have changed')
    if (next.damaged.size > 0) log.error({ damaged: [...next.damaged] }, 'tables or columns of modules are missing')
  }
  const source = { channel: 'modules', every: refreshEvery, what: 'the installed modules', read }
  const { refresh, refreshInBackground, refreshAll, stop } = keepCurrent(parts, source)
  await refresh()

  const isInstalled = (id: string, component = 'core') => current.installed.has(`${id}/${component}`)
  const isEnabled = (id: string) => switches.get(id)?.every(isOn) === true
  const rejectionOf: ModuleState['rejectionOf'] = ({ id, component }) => {
    const isThere = isInstalled(id) && (component === 'core' || isInstalled(id, component))
    if (!isEnabled(id) && (disabledFirst.has(id) || isInstalled(id))) return 'MODULE_DISABLED'
    return isThere ? undefined : 'module_not_installed'
  }
  const availablePages = () =>
    modules.flatMap(({ id, pages }) => (pages && !rejectionOf({ id, component: 'core' }) ? [pages] : []))
  return {
    modules,
    isInstalled,
    isDamaged: (id) => current.damaged.has(id),
    isEnabled,
    rejectionOf,
    userColumns: () => current.userColumns,
    declaredFilters: () => declaredFilters,
    userFilters: () => current.userFilters,
    userDetails: () =>
      modules.flatMap(({ id, userDetails = [] }) => (rejectionOf({ id, component: 'core' }) ? [] : userDetails)),
    importMembers: () => modules.flatMap(({ id, importMembers = [] }) => (isInstalled(id) ? importMembers : [])),
    exportMembers: () => exportMembers,
    navigation: () => availablePages().flatMap(({ navigation = [] }) => navigation),
    adminNavigation: (config) => availablePages().flatMap(({ adminNavigation }) => adminNavigation?.(config) ?? []),
    crawlRules: (config) => availablePages().flatMap(({ crawlRules }) => crawlRules?.(config) ?? []),
    firstStep: (id, config) =>
      rejectionOf({ id, component: 'core' })
        ? undefined
        : modules.find((module) => module.id === id)?.pages?.firstStep?.(config),
    suggestion: () => modules.find(({ id, isSuggested }) => isSuggested && !isInstalled(id))?.id,
    placesOf: (id, config) => {
      const module = modules.find((one) => one.id === id)
      const pages = rejectionOf({ id, component: 'core' }) ? undefined : module?.pages
      const { navigation: account = [], adminNavigation } = pages ?? {}
      return { chapter: module?.settings?.chapter, console: adminNavigation?.(config) ?? [], account }
    },
    wordsOf: (id, lang) => modules.find((one) => one.id === id)?.words?.[lang] ?? {},
    permissionWords: (lang) =>
      Object.assign({}, ...modules.map(({ permissionWords }) => permissionWords?.[lang === 'es' ? 'es' : 'en'])),
    suspect: refreshInBackground,
    pages: availablePages,
    personalData: () =>
      modules.flatMap(({ id, personalData }) => (personalData && isInstalled(id) ? [personalData] : [])),
    voidLinks: async (ctx) => {
      let count = 0
      for (const { id, voidLinks } of modules) if (voidLinks && isInstalled(id)) count += await voidLinks(ctx)
      return count
    },
    endCredentials: async (ctx) => {
      let count = 0
      for (const { id, endCredentials } of modules)
        if (endCredentials && isInstalled(id)) count += await endCredentials(ctx)
      return count
    },
    sessionsEnded: async (tx, userIds, ending) => {
      for (const { id, sessionsEnded } of modules)
        if (sessionsEnded && isInstalled(id)) await sessionsEnded(tx, userIds, ending)
    },
    get version() {
      return version
    },
    refresh,
    refreshAll,
    stop,
  }
}

async function readSnapshot({ db, config }: Parts, modules: readonly LoadedModule[]): Promise<Snapshot> {
  // The list of modules that were once installed must be read before the catalogue. Otherwise, a module installed in
  // between would look damaged.
  const onceInstalled = await findModulesOnceInstalled(db)
  const found = await findPresent(db, modules, config.RUNTIME_SCOPE)
  const components = modules.flatMap((module) =>
    module.components.map((component) => {
      const state = found.get(module.id)?.get(component.component_id)
      // A component without objects is present if it has a registry row.
      const isThere = component.objects.length > 0 ? state?.present : state?.row !== undefined
      return { module, id: component.component_id, isThere: isThere === true }
    }),
  )
  const present = components.filter(({ isThere }) => isThere)
  const isDamaged = ({ module, id, isThere }: (typeof components)[number]) =>
    id === 'core' && !isThere && onceInstalled.has(module.id)
  return {
    installed: new Set(present.map(({ module, id }) => `${module.id}/${id}`)),
    damaged: new Set(components.filter(isDamaged).map(({ module }) => module.id)),
    userColumns: present.flatMap(({ module, id }) => module.userColumns?.[id] ?? []),
    userFilters: present.flatMap(({ module, id }) => filtersOf(module, id)),
  }
}

const sameNames = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((name) => other.has(name))
