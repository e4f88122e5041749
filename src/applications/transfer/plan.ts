import type { Config } from '../../config/load.ts'
import type { FieldProblem } from '../../lib/errors.ts'
import { addressesIn, type Differences, differencesOf } from '../differences.ts'
import type { Address, ApplicationRow } from '../queries.ts'
import { signOutProblems } from '../read-appearance.ts'
import { acceptedProblem, addressProblems, takenProblem } from '../read-input.ts'
import { impossibleProblem, isPossible } from '../sign-in-methods.ts'
import { type FileEntry, rejected } from './read-file.ts'

export type Action = 'create' | 'change' | 'disable' | 'keep'

export interface TransferStep {
  action: Action
  key: string
  /** Undefined for an application that is to be created. */
  row?: ApplicationRow
  /** Undefined for an application that the file does not contain. */
  entry?: FileEntry
  changes: Differences['changes']
  added: Address[]
  removed: Address[]
}

export interface PlanOptions {
  /** Disables the applications that the file does not contain. */
  prune: boolean
  config: Config
}

/** Throws VALIDATION_ERROR with everything that prevents the file from being applied. */
export function planOf(
  rows: readonly ApplicationRow[],
  entries: readonly FileEntry[],
  { prune, config }: PlanOptions,
): TransferStep[] {
  const { APPLICATIONS_MAX: max } = config
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const steps = entries.map((entry) => stepFor(entry, byKey.get(entry.key)))
  const inFile = new Set(entries.map(({ key }) => key))
  const others = rows.filter(({ key }) => !inFile.has(key))
  const problems = [
    ...repeatedKeys(entries),
    ...ofDeleted(steps),
    ...takenAddresses(steps, others),
    ...forbiddenAddresses(steps),
    ...forbiddenSignOuts(steps),
    ...impossibleRules(config, steps),
    ...unknownAccepted(
      steps,
      new Set([
        ...rows.filter(({ deleted_at }) => !deleted_at).map(({ key }) => key),
        ...entries.map(({ key }) => key),
      ]),
    ),
  ]
  const created = steps.filter(({ action }) => action === 'create').length
  if (created > 0 && rows.length + created > max)
    problems.push({ field: 'applications', message: `are too many: APPLICATIONS_MAX allows ${max} applications` })
  if (problems.length > 0) throw rejected(problems)
  return [...steps, ...others.filter(({ deleted_at }) => !deleted_at).map((row) => stepForOther(row, prune))]
}

function stepFor(entry: FileEntry, row: ApplicationRow | undefined): TransferStep {
  const { key, read, enabled } = entry
  if (!row) {
    const changes = enabled === false ? { enabled: { from: true, to: false } } : {}
    return { action: 'create', key, entry, changes, added: addressesOf({ entry }), removed: [] }
  }
  const { changed, changes, added, removed } = differencesOf(row, { ...read, is_enabled: enabled })
  return { action: changed.length > 0 ? 'change' : 'keep', key, row, entry, changes, added, removed }
}

const stepForOther = (row: ApplicationRow, prune: boolean): TransferStep => {
  const isDisabled = prune && row.is_enabled
  const changes: TransferStep['changes'] = isDisabled ? { enabled: { from: true, to: false } } : {}
  return { action: isDisabled ? 'disable' : 'keep', key: row.key, row, changes, added: [], removed: [] }
}

/** The addresses of an application after the file was applied. */
const addressesOf = ({ row, entry }: Pick<TransferStep, 'row' | 'entry'>): Address[] =>
  addressesIn({ return: entry?.read.return, origin: entry?.read.origin }, row?.addresses)

const repeatedKeys = (entries: readonly FileEntry[]): FieldProblem[] =>
  entries
    .filter(({ key }, at) => entries.findIndex((one) => one.key === key) !== at)
    .map(({ key }) => ({ field: `${key}.key`, message: 'is in the file more than once' }))

const ofDeleted = (steps: readonly TransferStep[]): FieldProblem[] =>
  steps
    .filter(({ row }) => row?.deleted_at)
    .map(({ key }) => ({
      field: `${key}.key`,
      message: 'belongs to a deleted application: restore it first, or use another key',
    }))

function takenAddresses(steps: readonly TransferStep[], others: readonly ApplicationRow[]): FieldProblem[] {
  const textOf = ({ kind, address }: Address) => `${kind} ${address}`
  const owners = new Map<string, { key: string; deleted_at: Date | null }>(
    others.flatMap((row) => row.addresses.map((one) => [textOf(one), row] as const)),
  )
  return steps.flatMap((step) =>
    addressesOf(step).flatMap((one) => {
      const { key, deleted_at = null } = owners.get(textOf(one)) ?? {}
      if (key === undefined) owners.set(textOf(one), { key: step.key, deleted_at })
      const isTaken = key !== undefined && key !== step.key
      return isTaken ? named(step, [takenProblem({ ...one, key, deleted_at })]) : []
    }),
  )
}

const forbiddenAddresses = (steps: readonly TransferStep[]): FieldProblem[] =>
  steps.flatMap((step) => {
    const isDevelopment = step.entry?.read.is_development ?? step.row?.is_development ?? false
    return named(step, addressProblems(addressesOf(step), isDevelopment))
  })

const forbiddenSignOuts = (steps: readonly TransferStep[]): FieldProblem[] =>
  steps.flatMap((step) => {
    const url = step.entry?.read.sign_out_url
    return named(step, signOutProblems(url === undefined ? step.row?.sign_out_url : url, addressesOf(step)))
  })
const impossibleRules = (config: Config, steps: readonly TransferStep[]): FieldProblem[] =>
  steps
    .filter(({ row, changes }) => !row || changes.sign_in_methods)
    .filter(({ entry }) => !isPossible(config, entry?.read.sign_in_methods ?? []))
    .flatMap((step) => named(step, [impossibleProblem(config)]))

const unknownAccepted = (steps: readonly TransferStep[], known: ReadonlySet<string>): FieldProblem[] =>
  steps.flatMap((step) =>
    (step.entry?.read.accepts ?? [])
      .filter((key) => key === step.key || !known.has(key))
      .flatMap((key) => named(step, [acceptedProblem(key)])),
  )

const named = ({ key }: TransferStep, problems: FieldProblem[]): FieldProblem[] =>
  problems.map(({ field, message }) => ({ field: `${key}.${field}`, message }))
