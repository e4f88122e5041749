import type { ArgsDef, CommandDef, CommandMeta, ParsedArgs } from 'citty'
import { fail } from './fail.ts'

interface Definition<Args extends ArgsDef> {
  meta: CommandMeta
  args?: Args
  /** `words` are the arguments as given. If an option is repeated, citty keeps only its last value. */
  run(args: ParsedArgs<Args>, words: readonly string[]): Promise<void>
}

export const command = <const Args extends ArgsDef>({ meta, args, run }: Definition<Args>): CommandDef<Args> => ({
  meta,
  args: args ?? ({} as Args),
  run: async (context) => {
    try {
      rejectUnknown(context.args, args ?? {})
      await run(context.args, context.rawArgs)
    } catch (error) {
      fail(error)
    }
  },
})

/** citty ignores unknown options. */
function rejectUnknown(input: { _: string[] }, known: ArgsDef): void {
  // citty also accepts option names in camelCase.
  const names = Object.keys(known).flatMap((name) => [name, name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())])
  const option = Object.keys(input).find((name) => name !== '_' && !names.includes(name))
  if (option) throw new Error(`Unknown option ${option.length > 1 ? '--' : '-'}${option}: see --help`)
  const places = Object.values(known).filter(({ type }) => type === 'positional').length
  const rest = input._.slice(places).join(' ')
  if (rest) throw new Error(`Unexpected argument "${rest}": see --help`)
}
