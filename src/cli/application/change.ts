import { command } from '../command.ts'
import {
  applicationPlace,
  inputOf,
  memberOptions,
  operator,
  requestFor,
  withApplications,
} from './with-applications.ts'

export const applicationCreate = command({
  meta: { name: 'wardenry application create', description: 'Add an application' },
  args: {
    key: {
      type: 'positional',
      description: 'lowercase letters, digits and hyphens; cannot be changed',
      required: true,
    },
    ...memberOptions,
  },
  run: ({ key, ...given }) =>
    withApplications(async (ctx) => {
      const { createApplication } = await import('../../applications/change-application.ts')
      const { name = key, kind = 'website', ...input } = await inputOf(given)
      await createApplication(ctx, await operator(), { ...input, key, name, kind })
      process.stdout.write('The application was added. All nodes accept its addresses within a second.\n')
    }),
})

export const applicationUpdate = command({
  meta: { name: 'wardenry application update', description: 'Change an application. A list replaces the present one.' },
  args: { ...applicationPlace, ...memberOptions },
  run: ({ application, ...given }) =>
    withApplications(async (ctx) => {
      const { updateApplicationOf } = await import('../../applications/change-application.ts')
      const input = await inputOf(given)
      if (Object.keys(input).length === 0) throw new Error('Nothing to change: see --help')
      await updateApplicationOf(ctx, await requestFor(ctx, application), input)
      process.stdout.write('The application was changed.\n')
    }),
})

export const applicationEnable = command({
  meta: { name: 'wardenry application enable', description: 'Accept the addresses of an application again' },
  args: applicationPlace,
  run: ({ application }) => switchTo(application, true),
})

export const applicationDisable = command({
  meta: { name: 'wardenry application disable', description: 'Reject the addresses of an application' },
  args: applicationPlace,
  run: ({ application }) => switchTo(application, false),
})

const switchTo = (key: string, isEnabled: boolean): Promise<void> =>
  withApplications(async (ctx) => {
    const { setEnabled } = await import('../../applications/change-application.ts')
    await setEnabled(ctx, await requestFor(ctx, key), isEnabled)
    process.stdout.write(`The application is ${isEnabled ? 'enabled' : 'disabled'}.\n`)
  })

export const applicationDelete = command({
  meta: { name: 'wardenry application delete', description: 'Delete an application. It can be restored for 14 days.' },
  args: applicationPlace,
  run: ({ application }) =>
    withApplications(async (ctx) => {
      const { deleteApplication } = await import('../../applications/change-application.ts')
      await deleteApplication(ctx, await requestFor(ctx, application))
      process.stdout.write('The application was deleted. It can be restored for 14 days.\n')
    }),
})

export const applicationRestore = command({
  meta: { name: 'wardenry application restore', description: 'Restore a deleted application' },
  args: applicationPlace,
  run: ({ application }) =>
    withApplications(async (ctx) => {
      const { restoreApplication } = await import('../../applications/change-application.ts')
      await restoreApplication(ctx, await requestFor(ctx, application))
      process.stdout.write('The application was restored.\n')
    }),
})
