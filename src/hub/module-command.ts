import type { Context } from '../context.ts'

type Argument =
  | { type: 'positional'; description: string; required: boolean }
  | { type: 'string'; description: string; repeated?: true }
  | { type: 'boolean'; description: string }

type ArgumentValue<One> = One extends { type: 'positional'; required: true }
  ? string
  : One extends { repeated: true }
    ? string[] | undefined
    : One extends { type: 'boolean' }
      ? boolean | undefined
      : string | undefined

type Arguments = Readonly<Record<string, Argument>>

/** Runs in the application without the HTTP server. The module must be installed. */
export interface ModuleCommand {
  description: string
  args: Arguments
  run(ctx: Context, input: never): Promise<void>
}

export interface ModuleCommands {
  description: string
  commands: Readonly<Record<string, () => Promise<ModuleCommand>>>
}

export const moduleCommand = <const Args extends Arguments>(command: {
  description: string
  args: Args
  run(ctx: Context, input: { [Name in keyof Args]: ArgumentValue<Args[Name]> }): Promise<void>
}): ModuleCommand => command
