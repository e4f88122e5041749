import { text } from 'node:stream/consumers'
import type { Context } from '../../../context.ts'
import { moduleCommand } from '../../../hub/module-command.ts'
import { pageOf } from '../../../lib/paging.ts'
import { iso } from '../../../lib/time.ts'
import {
  accountNamed,
  explained,
  itemsOf,
  newSecretArgs,
  principal,
  printed,
  printKey,
} from '../../api-keys/cli/run-command.ts'
import { createClient, deleteClient, updateClientOf } from '../clients/change-clients.ts'
import type { ClientInput } from '../clients/read-input.ts'
import { rotateClientSecret } from '../clients/secrets.ts'
import { getClient, listedClients } from '../clients/show-clients.ts'
import { authMethodOf } from '../clients/sign-in-input.ts'
import { type ClientType, clientTypes } from '../rows.ts'
import { printSample, sampleNames } from '../samples/print-sample.ts'
import { fromTemplate, templateNames } from '../samples/templates.ts'
import { applicationNamed, choiceOf, resourceNamed, secondsIn } from './named.ts'
import { programTemplates, withProgramTerms } from './program-templates.ts'
import { signInInput, signInOptions } from './sign-in-options.ts'

const allTemplates = [...programTemplates.keys(), ...templateNames]
const json = { type: 'boolean', description: 'print JSON' } as const
const clientArg = { type: 'positional', description: 'the client_id', required: true } as const
const members = {
  name: { type: 'string', description: 'name of the client' },
  'service-account': { type: 'string', description: 'the id or name of the service account of a machine' },
  scopes: { type: 'string', description: 'scopes such as invoices:read, separated by commas' },
  resources: { type: 'string', description: 'identifiers of APIs, separated by commas; the first one is the default' },
  ttl: { type: 'string', description: 'lifetime of its tokens, such as 10m' },
  ...signInOptions,
} as const

type SignInValues = Parameters<typeof signInInput>[0]

interface ClientOptions extends SignInValues {
  name?: string | undefined
  'service-account'?: string | undefined
  scopes?: string | undefined
  resources?: string | undefined
  ttl?: string | undefined
}

const inputIn = async (ctx: Context, { name, scopes, resources, ttl, ...given }: ClientOptions) => ({
  ...(name !== undefined && { name }),
  ...(given['service-account'] !== undefined && {
    service_account_id: (await accountNamed(ctx, given['service-account'])).id,
  }),
  ...(scopes !== undefined && { scopes: itemsOf(scopes) }),
  ...(resources !== undefined && {
    resources: await Promise.all(itemsOf(resources).map(async (named) => (await resourceNamed(ctx, named)).id)),
  }),
  ...(ttl !== undefined && { access_ttl: secondsIn('--ttl', ttl) }),
  ...signInInput(given),
})

export const clientListCommand = moduleCommand({
  description: 'List the first 100 clients',
  args: { json },
  run: async (ctx, { json: isJson }) => {
    const { clients } = await listedClients(ctx, pageOf({ limit: 100 }))
    const lines = clients.map(({ client_id, type, enabled, name, last_used_at }) =>
      [client_id, type, enabled ? 'enabled' : 'disabled', `used ${last_used_at ?? 'never'}`, name].join('  '),
    )
    printed(clients, isJson, lines.length > 0 ? lines.join('\n') : 'There are no clients.')
  },
})

export const clientShowCommand = moduleCommand({
  description: 'Show a client, or the settings of the program that uses it',
  args: {
    client: clientArg,
    settings: { type: 'string', description: `print settings without the secret: ${sampleNames.join(', ')}` },
    json,
  },
  run: async (ctx, { client, settings, json: isJson }) => {
    if (settings !== undefined) return void process.stdout.write(await printSample(ctx, client, settings))
    const shown = await getClient(ctx, client)
    printed(shown, isJson, JSON.stringify(shown, null, 2))
  },
})

export const clientCreateCommand = moduleCommand({
  description: 'Create a client, and print its secret once',
  args: {
    type: { type: 'positional', description: clientTypes.join(' or '), required: false },
    template: { type: 'string', description: `fills in the rest: ${allTemplates.join(', ')}` },
    host: {
      type: 'string',
      description: 'host of an application with users, such as app.example.com; with --template',
    },
    application: { type: 'string', description: 'the key of its application' },
    'client-id': { type: 'string', description: 'default: a UUID' },
    ...members,
    'secret-stdin': { type: 'boolean', description: 'read the secret that the client already has from standard input' },
    ...newSecretArgs,
  },
  run: (ctx, { application, 'client-id': client_id, 'secret-stdin': isBrought, ...given }) =>
    explained(async () => {
      const program = programTemplates.get(given.template ?? '')
      const entered = {
        ...startOf(given),
        application_id: await applicationNamed(ctx, application),
        ...(client_id !== undefined && { client_id }),
        ...(await inputIn(ctx, given)),
      }
      const input = program ? await withProgramTerms(ctx, entered) : entered
      const sample = program?.settings ?? given.template
      const settingsOf = async (clientId: string) =>
        sample === undefined ? {} : { settings: await printSample(ctx, clientId, sample) }
      if (!isBrought && authMethodOf(input.type) === 'client_secret') return printCreated(ctx, input, given, settingsOf)
      const secret = isBrought ? { secret: (await text(process.stdin)).trim() } : {}
      const { clientId } = await createClient(ctx, { principal }, { ...input, ...secret })
      const settings = await settingsOf(clientId)
      const sentence = isBrought
        ? `The client ${clientId} was created with the secret that you passed.`
        : `The client ${clientId} was created. Clients of this type have no secret.`
      printed({ client_id: clientId, ...settings }, given.json, sentence)
      printSettings(given, settings)
    }),
})

interface Start {
  type?: string | undefined
  template?: string | undefined
  host?: string | undefined
}

/** The type, and with a template the members that options may replace. */
function startOf({ type, template, host }: Start) {
  if (template === undefined) {
    if (host !== undefined) throw new Error('--host requires --template')
    if (type === undefined) throw new Error(`Pass the type, which is one of ${clientTypes.join(', ')}, or --template`)
    return { type: choiceOf('The type', clientTypes, type) }
  }
  const program = programTemplates.get(template)
  if (program) {
    if (host !== undefined) throw new Error(`The template ${template} has no host`)
    return { type: assertSameType(template, program.type, type) }
  }
  choiceOf('--template', allTemplates, template)
  if (host === undefined) throw new Error('Pass --host with the host of the application, such as app.example.com')
  const filled = fromTemplate(choiceOf('--template', templateNames, template), host)
  assertSameType(template, filled.type, type)
  return filled
}

function assertSameType<Type extends ClientType>(template: string, own: Type, type: string | undefined): Type {
  if (type !== undefined && type !== own) throw new Error(`The template ${template} has the type ${own}`)
  return own
}

interface Settings {
  settings?: string
}

interface Output {
  json?: boolean | undefined
  'secret-file'?: string | undefined
}

async function printCreated(
  ctx: Context,
  input: ClientInput,
  output: Output,
  settingsOf: (clientId: string) => Promise<Settings>,
): Promise<void> {
  let settings: Settings = {}
  const create = async () => {
    const created = await createClient(ctx, { principal }, input)
    settings = await settingsOf(created.clientId)
    return { ...printable(created), ...settings }
  }
  await printKey(output, create, 'secret')
  printSettings(output, settings)
}

/** JSON already contains them. */
const printSettings = ({ json: isJson }: Output, { settings }: Settings): void => {
  if (settings !== undefined && !isJson) process.stdout.write(`\n${settings}`)
}

const printable = ({ clientId, secret = '' }: { clientId: string; secret: string | undefined }) => ({
  id: clientId,
  key: secret,
})

export const clientUpdateCommand = moduleCommand({
  description: 'Change a client, or enable it again',
  args: { client: clientArg, ...members, enable: { type: 'boolean', description: 'enable it again' }, json },
  run: (ctx, { client: clientId, enable, json: isJson, ...given }) =>
    explained(async () => {
      const changes = { ...(await inputIn(ctx, given)), ...(enable && { enabled: true }) }
      if (Object.keys(changes).length === 0) throw new Error('Nothing to change: see --help')
      await updateClientOf(ctx, { principal, clientId }, changes)
      printed({ client_id: clientId }, isJson, 'The client was changed.')
    }),
})

export const clientRotateSecretCommand = moduleCommand({
  description: 'Add a secret to a client, and print it once',
  args: {
    client: clientArg,
    overlap: { type: 'string', description: 'how long the former secret still works, such as 1h; default: 7d' },
    ...newSecretArgs,
  },
  run: (ctx, { client: clientId, overlap, ...given }) =>
    explained(() =>
      printKey(
        given,
        async () => {
          const seconds = overlap === undefined ? {} : { overlap: secondsIn('--overlap', overlap) }
          const { id, secret, overlapUntil } = await rotateClientSecret(ctx, { principal, clientId }, seconds)
          return { id, key: secret, ...(overlapUntil && { overlap_until: iso(overlapUntil) }) }
        },
        'secret',
      ),
    ),
})

export const clientDisableCommand = moduleCommand({
  description: 'Disable a client, and end its tokens',
  args: { client: clientArg, json },
  run: (ctx, { client: clientId, json: isJson }) =>
    explained(async () => {
      await updateClientOf(ctx, { principal, clientId }, { enabled: false })
      printed({ client_id: clientId, enabled: false }, isJson, 'The client was disabled, and its tokens have ended.')
    }),
})

export const clientDeleteCommand = moduleCommand({
  description: 'Delete a client, and end its tokens',
  args: { client: clientArg, json },
  run: (ctx, { client: clientId, json: isJson }) =>
    explained(async () => {
      await deleteClient(ctx, { principal, clientId })
      printed({ client_id: clientId }, isJson, 'The client was deleted, and its tokens have ended.')
    }),
})
