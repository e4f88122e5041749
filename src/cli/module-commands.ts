import type { CommandDef } from 'citty'
import type { Context } from '../context.ts'
import type { ModuleDefinition } from '../hub/define-module.ts'
import type { ModuleCommand, ModuleCommands } from '../hub/module-command.ts'
import { command } from './command.ts'
import { valuesOfOption } from './repeated-option.ts'

export async function moduleCommands(): Promise<Record<string, CommandDef>> {
  const { loadModules } = await import('../hub/load-modules.ts')
  const modules = loadModules(await definitions())
  return Object.fromEntries(modules.flatMap(({ id, commands }) => (commands ? [[id, group(id, commands)]] : [])))
}

/** If a module in MODULE_PATHS cannot be loaded, the other modules' commands remain available. */
async function definitions(): Promise<readonly ModuleDefinition[]> {
  const { declareModulesOf } = await import('./load-checked.ts')
  const { environment } = await import('./environment.ts')
  const { ConfigError } = await import('../config/load.ts')
  try {
    return await declareModulesOf(environment())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n\n`)
    const { shippedModules } = await import('../modules/index.ts')
    return shippedModules
  }
}

const group = (id: string, { description, commands }: ModuleCommands): CommandDef => ({
  meta: { name: `wardenry ${id}`, description },
  subCommands: Object.fromEntries(
    Object.entries(commands).map(([name, load]) => [name, async () => single(id, name, await load())]),
  ),
})

const single = (id: string, name: string, { description, args, run }: ModuleCommand): CommandDef =>
  command({
    meta: { name: `wardenry ${id} ${name}`, description },
    args: { ...args },
    run: async (parsed, words) => {
      const { readEnvironment } = await import('./environment.ts')
      const { openApp } = await import('./open-app.ts')
      const app = await openApp(await readEnvironment('command'), adviceWhenBusy)
      try {
        if (!app.ctx.modules.isInstalled(id))
          throw new Error(`The module ${id} is not installed: run "wardenry module install ${id} --all"`)
        await run(app.ctx, { ...parsed, ...repeatedIn(args, words) } as never).catch((error: unknown) =>
          failInModule(app.ctx, id, error),
        )
      } finally {
        await app.stop()
      }
    },
  }) as CommandDef

/** Undefined if the option is not given. */
const repeatedIn = (args: ModuleCommand['args'], words: readonly string[]) =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, argument]) => {
      if (!('repeated' in argument)) return []
      const values = valuesOfOption(words, name)
      return [[name, values.length > 0 ? values : undefined]]
    }),
  )

/** A fault of the module's code. Other errors are for the person who runs the command. */
export async function failInModule({ log }: Pick<Context, 'log'>, id: string, error: unknown): Promise<never> {
  const { isOurFault } = await import('./fail.ts')
  if (error instanceof Error && !isOurFault(error)) throw error
  log.error({ err: error, module: id }, 'a command of the module failed')
  const message = error instanceof Error ? error.message : String(error)
  throw new Error(`The module ${id} failed: ${message}\nThe log line above contains the details.`)
}

const adviceWhenBusy = 'If that process is the service, stop it, run this command, and start it again.'
