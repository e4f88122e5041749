import type { ApplicationTestResult } from '../../applications/sign-in-test/test-application.ts'
import type { Context } from '../../context.ts'
import { printable, printableJson } from '../columns.ts'
import { command } from '../command.ts'
import { applicationPlace, requestFor, withApplications } from './with-applications.ts'

export const applicationTest = command({
  meta: {
    name: 'wardenry application test',
    description: 'Sign a new user in to an application, and show which step fails',
  },
  args: {
    ...applicationPlace,
    page: { type: 'string', description: 'page that requires a sign-in; default: the first return address' },
    json: { type: 'boolean', description: 'print JSON, as POST /auth/admin/applications/{application_id}/test does' },
  },
  run: ({ application, page, json }) =>
    withApplications(async (ctx) => {
      // The service could not open the database while this command uses it.
      if (ctx.config.DATABASE_URL === undefined)
        throw new Error(
          'The application needs the running service, which cannot share the embedded database with a command: ' +
            'use "Test the sign-in" on the page of the application in the console',
        )
      const result = await run(ctx, application, page)
      process.stdout.write(json ? printableJson(result) : await report(ctx, result))
      if (result.outcome === 'failed') process.exitCode = 1
    }),
})

async function run(ctx: Context, key: string, page: string | undefined): Promise<ApplicationTestResult> {
  const { testApplication } = await import('../../applications/sign-in-test/test-application.ts')
  const { AppError } = await import('../../lib/errors.ts')
  const input = page === undefined ? {} : { page }
  return testApplication(ctx, await requestFor(ctx, key), input).catch((error) => {
    const isBusy = error instanceof AppError && error.code === 'RATE_LIMITED'
    throw isBusy ? new Error('A test of this application is in progress: try again in a minute') : error
  })
}

async function report({ config }: Context, { outcome, steps }: ApplicationTestResult): Promise<string> {
  const { adminTextsFor } = await import('../../ui/console/texts/index.ts')
  const { stepText } = await import('../../screens/console/applications/sign-in-test/step-text.ts')
  const { signInTest: texts } = adminTextsFor('en').applications
  const lines = steps.flatMap((step) => {
    const place = [step.page, step.status].filter((part) => part !== null).join(' ')
    const text = stepText('en', step, config.PUBLIC_URL)
    return [`${texts.outcomes[step.outcome]}: ${texts.steps[step.step]}`, ...[place, text].flatMap(indented)]
  })
  return `${[...lines, `${texts.results[outcome]}.`].map(printable).join('\n')}\n`
}

const indented = (text: string | null): string[] => (text ? [`  ${text}`] : [])
