import type { TransferStep } from '../../applications/transfer/plan.ts'
import { printable } from '../columns.ts'
import { command } from '../command.ts'
import { intoFile } from '../into-file.ts'
import { readInputFile } from '../read-input-file.ts'
import { operator, withApplications } from './with-applications.ts'

export const applicationExport = command({
  meta: {
    name: 'wardenry application export',
    description: 'Export all applications to a new JSON file, without secrets',
  },
  args: { file: { type: 'positional', description: 'new file such as applications.json', required: true } },
  run: ({ file }) =>
    withApplications(async (ctx) => {
      const { exportApplications } = await import('../../applications/transfer/apply.ts')
      const exported = await exportApplications(ctx)
      await intoFile(file, (write) => write(`${JSON.stringify(exported, null, 2)}\n`))
      process.stdout.write(`${file}: ${counted(exported.applications.length)}\n`)
    }),
})

const args = {
  file: { type: 'positional', description: 'file that "wardenry application export" has written', required: true },
  prune: { type: 'boolean', description: 'disable the applications that the file does not contain' },
} as const

export const applicationPlan = command({
  meta: { name: 'wardenry application plan', description: 'Show what "apply" would change; changes nothing' },
  args,
  run: ({ file, prune }) =>
    withApplications(async (ctx) => {
      const { planApplications } = await import('../../applications/transfer/apply.ts')
      const steps = await planApplications(ctx, { text: String(await readInputFile(file)), prune: prune === true })
      process.stdout.write(report(steps, planned))
    }),
})

export const applicationApply = command({
  meta: {
    name: 'wardenry application apply',
    description: 'Create and change the applications in a file, in one transaction',
  },
  args,
  run: ({ file, prune }) =>
    withApplications(async (ctx) => {
      const { applyApplications } = await import('../../applications/transfer/apply.ts')
      const input = { text: String(await readInputFile(file)), prune: prune === true }
      process.stdout.write(report(await applyApplications(ctx, await operator(), input), done))
    }),
})

type Words = Record<TransferStep['action'], string>

const planned: Words = { create: 'create', change: 'change', disable: 'disable', keep: 'no change' }
const done: Words = { create: 'created', change: 'changed', disable: 'disabled', keep: 'no change' }

const report = (steps: readonly TransferStep[], words: Words): string =>
  steps.length === 0
    ? 'There are no applications.\n'
    : `${steps.map((step) => [`${step.key}: ${words[step.action]}`, ...differencesIn(step)].join('\n  ')).join('\n')}\n`

/** A pruned application has no difference but the one that the action says. */
function differencesIn({ action, changes, added, removed }: TransferStep): string[] {
  if (action === 'disable') return []
  const values = Object.entries(changes).map(([name, { from, to }]) => `${name}: ${shown(from)} -> ${shown(to)}`)
  const lists = { return: 'return address', origin: 'origin' }
  const order = action === 'change' && values.length + added.length + removed.length === 0
  return [
    ...values,
    ...added.map(({ kind, address }) => `+ ${lists[kind]} ${address}`),
    ...removed.map(({ kind, address }) => `- ${lists[kind]} ${address}`),
    ...(order ? ['order of the addresses'] : []),
  ].map(printable)
}

const shown = (value: unknown): string => JSON.stringify(value)

const counted = (count: number): string => `${count} ${count === 1 ? 'application' : 'applications'}`
