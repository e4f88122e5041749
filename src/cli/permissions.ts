import { readFile } from 'node:fs/promises'
import type { Context } from '../context.ts'
import type { ApplicationPlan, DeclaringInput } from '../roles/declaration/apply.ts'
import { printable } from './columns.ts'
import { command } from './command.ts'
import { explainingRejections } from './explain-rejection.ts'
import { runWithContext } from './run-with-context.ts'

const args = {
  file: { type: 'positional', description: 'JSON file with the permissions of an application', required: true },
  prune: { type: 'boolean', description: 'remove permissions and roles that the file does not contain' },
} as const

export const permissionsPlan = command({
  meta: { name: 'wardenry permissions plan', description: 'Show what "apply" would change; changes nothing' },
  args,
  run: ({ file, prune }) =>
    withDeclaration(file, prune === true, async (ctx, input) => {
      const { planDeclaration } = await import('../roles/declaration/apply.ts')
      process.stdout.write(report(await planDeclaration(ctx, input)))
    }),
})

export const permissionsApply = command({
  meta: {
    name: 'wardenry permissions apply',
    description: 'Declare the permissions and roles in a file, in one transaction',
  },
  args,
  run: ({ file, prune }) =>
    withDeclaration(file, prune === true, async (ctx, input) => {
      const { applyDeclaration } = await import('../roles/declaration/apply.ts')
      const { operator } = await import('../admin/principal.ts')
      process.stdout.write(report(await applyDeclaration(ctx, operator, input)))
    }),
})

export const permissionsMove = command({
  meta: {
    name: 'wardenry permissions move',
    description: 'Give a permission to another application; roles of the former one keep it without effect',
  },
  args: {
    permission: { type: 'positional', description: 'key of the permission, such as invoices:write', required: true },
    application: { type: 'positional', description: 'key of the application that is to have it', required: true },
  },
  run: ({ permission, application }) =>
    runWithContext(adviceToStop, async (ctx) => {
      const { movePermission } = await import('../roles/declaration/move-permission.ts')
      const { operator } = await import('../admin/principal.ts')
      const move = movePermission(ctx, { principal: operator }, { permission, application })
      const from = await move.catch(explainingRejections('There is no such permission'))
      process.stdout.write(
        from === application
          ? `${permission} already belongs to ${application}\n`
          : `${permission} belongs to ${application} now, and no longer to ${from}\n`,
      )
    }),
})

const adviceToStop = 'Stop that process, run this command, and start it again.'

const adviceWhenBusy = `If that process is the service, send the file to PUT /auth/bridge/permissions/{application} instead. Otherwise
stop it, run this command, and start it again.`

const unknown = 'There is no such application: "application" must be a key that "wardenry application list" prints'

const withDeclaration = (
  file: string,
  prune: boolean,
  work: (ctx: Context, input: DeclaringInput) => Promise<void>,
): Promise<void> =>
  runWithContext(adviceWhenBusy, async (ctx) => {
    const { readDeclarationFile } = await import('../roles/declaration/read-declaration.ts')
    const run = async () => work(ctx, { ...readDeclarationFile(await readFile(file, 'utf8')), prune })
    await run().catch(explainingRejections(unknown))
  })

function report({ application, permissions, roles, losing }: ApplicationPlan): string {
  const lines = [
    ...linesOf('permission', permissions),
    ...linesOf('role', roles),
    ...losing.map(
      ({ role, users, permissions: lost }) =>
        `! ${users === null ? 'every user' : `${users} ${users === 1 ? 'user' : 'users'}`} with the role ${role}: loses ${lost.join(', ')}`,
    ),
  ].map(printable)
  return `${[`${application}:${lines.length === 0 ? ' no change' : ''}`, ...lines].join('\n  ')}\n`
}

const signs = { added: '+', changed: '~', retired: '-', removed: '-' } as const

const linesOf = (kind: string, differences: Readonly<Partial<Record<keyof typeof signs, string[]>>>): string[] =>
  Object.entries(signs).flatMap(([name, sign]) =>
    (differences[name as keyof typeof signs] ?? []).map((key) =>
      name === 'added' || name === 'changed' ? `${sign} ${kind} ${key}` : `${sign} ${kind} ${key} (${name})`,
    ),
  )
