import type { Context } from '../../context.ts'
import { fitted, inColumns, printable, printableJson } from '../columns.ts'
import { command } from '../command.ts'
import { itemsIn } from '../explain-rejection.ts'
import { printSecret } from './print-secret.ts'
import { applicationPlace, requestFor, withApplications } from './with-applications.ts'

const secretPlace = {
  ...applicationPlace,
  secret: {
    type: 'positional',
    description: 'id or last four characters of the secret, as "wardenry application secrets" prints them',
    required: true,
  },
} as const

const termOptions = {
  'ip-ranges': { type: 'string', description: 'networks from which it is accepted, separated by commas; "": all' },
  'ends-at': { type: 'string', description: 'time at which it ends, such as 2027-01-31T00:00:00Z; "": never' },
} as const

const rights = {
  type: 'string',
  description: 'rights, separated by commas: sessions, users, events, permissions',
} as const

const secretFile = {
  'secret-file': { type: 'string', description: 'new file for the secret, which only you can read' },
} as const

export const applicationSecrets = command({
  meta: {
    name: 'wardenry application secrets',
    description: "List an application's bridge secrets and their last use",
  },
  args: {
    ...applicationPlace,
    json: { type: 'boolean', description: 'print JSON, as GET /auth/admin/applications/{application_id}/secrets does' },
  },
  run: ({ application, json }) =>
    withApplications(async (ctx) => {
      const { listSecrets } = await import('../../applications/secrets/show-secrets.ts')
      const secrets = await listSecrets(ctx, (await requestFor(ctx, application)).id)
      if (json) return void process.stdout.write(printableJson({ secrets }))
      const rows = secrets.map(({ id, hint, rights: allowed, ip_ranges, ends_at, last_used_at }) => [
        id,
        printable(hint),
        allowed.join(','),
        fitted(printable(ip_ranges.join(',')), 40),
        ends_at ?? 'never',
        last_used_at ?? 'never',
      ])
      process.stdout.write(inColumns([['ID', 'SECRET', 'RIGHTS', 'NETWORKS', 'ENDS', 'LAST USE'], ...rows]))
    }),
})

export const applicationCreateSecret = command({
  meta: { name: 'wardenry application create-secret', description: 'Create a bridge secret, and print it once' },
  args: {
    ...applicationPlace,
    rights: { ...rights, description: `${rights.description}; default: sessions` },
    ...termOptions,
    ...secretFile,
  },
  run: ({ application, 'secret-file': file, ...given }) =>
    withApplications(async (ctx) => {
      const { createSecret } = await import('../../applications/secrets/change-secrets.ts')
      const request = await requestFor(ctx, application)
      await printSecret(file, () => createSecret(ctx, request, termsIn(given)))
    }),
})

export const applicationUpdateSecret = command({
  meta: { name: 'wardenry application update-secret', description: 'Change what a bridge secret allows' },
  args: { ...secretPlace, rights, ...termOptions },
  run: ({ application, secret, ...given }) =>
    withApplications(async (ctx) => {
      const { updateSecretOf } = await import('../../applications/secrets/change-secrets.ts')
      const input = termsIn(given)
      if (Object.keys(input).length === 0) throw new Error('Nothing to change: see --help')
      await updateSecretOf(ctx, await secretRequest(ctx, application, secret), input)
      process.stdout.write('The secret was changed.\n')
    }),
})

export const applicationRotateSecret = command({
  meta: {
    name: 'wardenry application rotate-secret',
    description: 'Create a bridge secret that replaces another one, and print it once',
  },
  args: {
    ...secretPlace,
    overlap: { type: 'string', description: 'how long the former secret still works: 0s to 7d; default: 24h' },
    'ends-at': {
      ...termOptions['ends-at'],
      description: 'time at which the new secret ends; default: as the former one',
    },
    ...secretFile,
  },
  run: ({ application, secret, overlap, 'ends-at': endsAt, 'secret-file': file }) =>
    withApplications(async (ctx) => {
      const { rotateSecretOf } = await import('../../applications/secrets/change-secrets.ts')
      const request = await secretRequest(ctx, application, secret)
      const terms = { ...(await overlapIn(overlap)), ...termsIn({ 'ends-at': endsAt }) }
      await printSecret(file, () => rotateSecretOf(ctx, request, terms))
    }),
})

export const applicationRevokeSecret = command({
  meta: { name: 'wardenry application revoke-secret', description: 'Reject a bridge secret from now on' },
  args: secretPlace,
  run: ({ application, secret }) =>
    withApplications(async (ctx) => {
      const { revokeSecret } = await import('../../applications/secrets/change-secrets.ts')
      await revokeSecret(ctx, await secretRequest(ctx, application, secret))
      process.stdout.write('The secret was revoked. All nodes reject it within a second.\n')
    }),
})

async function secretRequest(ctx: Context, key: string, secret: string) {
  const { findSecrets } = await import('../../applications/secrets/queries.ts')
  const request = await requestFor(ctx, key)
  const found = request.id === '' ? [] : await findSecrets(ctx.db, request.id)
  const [one, another] = found.filter(({ id, hint }) => id === secret || (secret.length >= 4 && hint.endsWith(secret)))
  if (request.id !== '' && (!one || another))
    throw new Error('There is no such secret: pass an id that "wardenry application secrets" prints')
  return { ...request, secretId: one?.id ?? '' }
}

interface GivenTerms {
  rights?: string | undefined
  'ip-ranges'?: string | undefined
  'ends-at'?: string | undefined
}

const termsIn = ({ rights: allowed, 'ip-ranges': ranges, 'ends-at': endsAt }: GivenTerms) => ({
  ...(allowed !== undefined && { rights: itemsIn(allowed) }),
  ...(ranges !== undefined && { ip_ranges: itemsIn(ranges) }),
  ...(endsAt !== undefined && { ends_at: endsAt === '' ? null : endsAt }),
})

async function overlapIn(text: string | undefined): Promise<{ overlap?: number }> {
  if (text === undefined) return {}
  const { parseDuration } = await import('../../lib/time.ts')
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) throw new Error('--overlap must be a duration such as 24h or 0s')
  return { overlap: milliseconds / 1000 }
}
