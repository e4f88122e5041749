import type { CommandDef } from 'citty'
import type { ModuleCommand, ModuleCommands } from '../hub/module-command.ts'
import { command } from './command.ts'

export async function moduleCommands(): Promise<Record<string, CommandDef>> {
  const { loadModules } = await import('../hub/load-modules.ts')
  const { shippedModules } = await import('../modules/index.ts')
  const found = loadModules(shippedModules).flatMap(({ id, commands }) => (commands ? [[id, group(id, commands)]] : []))
  return Object.fromEntries(found)
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
    run: async (input) => {
      const { readEnvironment } = await import('./environment.ts')
      const { openApp } = await import('./open-app.ts')
      const app = await openApp(await readEnvironment('command'), adviceWhenBusy)
      try {
        if (!app.ctx.modules.isInstalled(id))
          throw new Error(`The module ${id} is not installed: run "wardenry module install ${id} --all"`)
        await run(app.ctx, input as never)
      } finally {
        await app.stop()
      }
    },
  }) as CommandDef

const adviceWhenBusy = 'If that process is the service, stop it, run this command, and start it again.'
