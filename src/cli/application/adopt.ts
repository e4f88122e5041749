import type { Adopted } from '../../applications/adopt-address.ts'
import { command } from '../command.ts'
import { inputOf, memberOptions, operator, withApplications } from './with-applications.ts'

export const applicationAdopt = command({
  meta: {
    name: 'wardenry application adopt',
    description: 'Copy an address from the settings to a new or existing application',
  },
  args: {
    application: { type: 'positional', description: 'key of the application', required: true },
    address: {
      type: 'positional',
      description: 'address in ALLOWED_REDIRECTS or CORS_ORIGINS, or the origin of FRONTEND_URL',
      required: true,
    },
    name: { ...memberOptions.name, description: 'name of a new application' },
    kind: memberOptions.kind,
  },
  run: ({ application: key, address, ...given }) =>
    withApplications(async (ctx) => {
      const { adoptAddress } = await import('../../applications/adopt-address.ts')
      const { name, kind } = await inputOf(given)
      process.stdout.write(report(key, await adoptAddress(ctx, await operator(), { key, address, name, kind })))
    }),
})

const report = (key: string, { isNew, address, settings }: Adopted): string =>
  [
    `The ${isNew ? 'new ' : ''}application ${key} has the address ${address}. Nothing changes for its users.`,
    ...settings.flatMap((setting) => adviceFor(setting, address)),
    '',
  ].join('\n')

function adviceFor({ name, rest }: Adopted['settings'][number], address: string): string[] {
  if (name === 'FRONTEND_URL')
    return [`Keep FRONTEND_URL=${rest[0]}: emails and redirects without a return address lead there.`]
  const line =
    rest.length === 0
      ? `You can now remove this line from your settings: ${name}=${address}`
      : `You can now remove the address from this setting, which leaves: ${name}=${rest.join(',')}`
  const loss = 'Pages on the origin can then no longer call routes for administration.'
  return name === 'CORS_ORIGINS' ? [line, loss] : [line]
}
