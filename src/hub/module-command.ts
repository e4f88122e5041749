import type { Context } from '../context.ts'

type Argument =
  | { type: 'positional'; description: string; required: true }
  | { type: 'string' | 'boolean'; description: string }

type ArgumentValue<One> = One extends { type: 'positional' }
  ? string
  : One extends { type: 'boolean' }
    ? boolean | undefined
    : string | undefined

type Arguments = Readonly<Record<string, Argument>>

/** A command of a module: it runs on the application without its server, while the module is installed. */
export interface ModuleCommand {
  description: string
  args: Arguments
  run(ctx: Context, given: never): Promise<void>
}

export interface ModuleCommands {
  description: string
  /** Loaded when they are asked for. */
  commands: Readonly<Record<string, () => Promise<ModuleCommand>>>
}

/** A command whose `run` gets its arguments as they are declared. */
export const moduleCommand = <const Args extends Arguments>(command: {
  description: string
  args: Args
  run(ctx: Context, given: { [Name in keyof Args]: ArgumentValue<Args[Name]> }): Promise<void>
}): ModuleCommand => command
