import type { Config } from '../config/load.ts'
import type { ModuleSettings } from '../config/settings.ts'
import type { Context, ModuleColumn, NavigationEntry, PersonalData, SecondFactor } from '../context.ts'
import type { LimitRule } from '../http/limits/rate-limits.ts'
import type { Routes } from '../http/server/create-server.ts'
import type { ErrorEntry } from '../lib/errors.ts'
import type { MessageDeclarations } from '../outbox/messages.ts'
import type { PersonalDataPages } from '../pages/account/personal-data/replacement.ts'
import type { SecondFactorPages } from '../pages/shared/second-factor-pages.ts'
import type { Module } from './load-modules.ts'
import type { ModuleCommands } from './module-command.ts'

/** Settings that are on or off. */
export type Switch = { [Name in keyof Config]: Config[Name] extends boolean ? Name : never }[keyof Config]

/** A module as its folder declares it. What is installed of it is the database's to say. */
export interface ModuleDefinition {
  /** Where `module.json` and its SQL files are. */
  directory: URL
  /** Of these files, as `npm run checksums` writes them: part of the release, and compared at every start. */
  checksums: Readonly<Record<string, string>>
  /** Settings that all have to be on for it to be. Installing never changes them. */
  switches: readonly Switch[]
  /** True: a module that is switched off answers MODULE_DISABLED even where it is not installed. */
  disabledFirst?: boolean
  /** The start page of a development service says how to install it. */
  isSuggested?: boolean
  /** Under the title of their chapter in docs/configuration.md. */
  settings?: ModuleSettings
  /** Error codes beyond those of the core. */
  errors?: Readonly<Record<string, ErrorEntry>>
  auditEvents?: readonly string[]
  /** Members of bodies whose values are shown nowhere again, in any spelling; `*` at the end stands for whatever follows. */
  writeOnlyNames?: readonly string[]
  /** Mails by name, with the variables of their templates in `mails/<language>/`. */
  mails?: MessageDeclarations
  /** What the groups of its operations are about, for the API description. */
  tags?: Readonly<Record<string, string>>
  /** Registered in any case: each route names the module in its `config`, and answers only while it is there. */
  routes(ctx: Context): Routes
  /** Pages: their routes, and where the navigation of the account leads. Their templates and texts are files of the module. */
  pages?: {
    routes(ctx: Context): Routes
    navigation?: readonly NavigationEntry[]
    /** In place of those of the core, while the module is installed and enabled. */
    personalData?: PersonalDataPages
    /** Of the module with `secondFactor`: what the pages of the core show of it. */
    secondFactor?: SecondFactorPages
  }
  /** Columns of `users` that are shown, by the component that adds them. What is not here is never read for a reply. */
  userColumns?: Readonly<Record<string, readonly ModuleColumn[]>>
  /** Work that requests put off, by name: what `enqueueTask` of this module names. */
  queuedJobs?: Readonly<Record<string, (ctx: Context, data: never) => Promise<void>>>
  /** Repeated every ten minutes while the module is installed, and at once again while one gives 1,000 or more. */
  cleanupJobs?: Readonly<Record<string, (ctx: Context) => Promise<number>>>
  /** Repeated on every node, as often as it says, while the module is installed and enabled; nodes may be at it at once. */
  scheduledJobs?: Readonly<Record<string, { every(config: Config): number; run(ctx: Context): Promise<void> }>>
  /** What it keeps about people. */
  personalData?: PersonalData
  /** Asked at every sign-in while the module is installed and enabled. */
  secondFactor?(ctx: Context): SecondFactor
  /** Adds what it offers to the modules that build on it. Called once, before anything is served. */
  prepare?(ctx: Context, modules: readonly Module[]): void
  /** Of the command line: `wardenry <id> <name>`. */
  commands?: ModuleCommands
  /** Classes of rate limits that its routes may name. */
  limits?: Readonly<Record<string, LimitRule>>
}

export const defineModule = (definition: ModuleDefinition): ModuleDefinition => definition
