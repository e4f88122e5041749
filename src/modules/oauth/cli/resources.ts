import { moduleCommand } from '../../../hub/module-command.ts'
import { explained, itemsOf, principal, printed } from '../../api-keys/cli/run-command.ts'
import { createResource, deleteResource, updateResourceOf } from '../resources/change-resource.ts'
import { listResources } from '../resources/show-resource.ts'
import { signingAlgs, tokenFormats } from '../rows.ts'
import { applicationNamed, choiceOf, resourceNamed, secondsIn } from './named.ts'

const json = { type: 'boolean', description: 'print JSON' } as const
const resourceArg = { type: 'positional', description: 'the identifier or id of the API', required: true } as const
const members = {
  name: { type: 'string', description: 'name of the API' },
  aliases: { type: 'string', description: 'other identifiers that clients may send, separated by commas' },
  format: { type: 'string', description: 'jwt or opaque; default: jwt' },
  ttl: { type: 'string', description: 'lifetime of its tokens, such as 10m' },
  alg: { type: 'string', description: signingAlgs.join(', ') },
} as const

interface ResourceOptions {
  name?: string | undefined
  aliases?: string | undefined
  format?: string | undefined
  ttl?: string | undefined
  alg?: string | undefined
}

const inputIn = ({ name, aliases, format, ttl, alg }: ResourceOptions) => ({
  ...(name !== undefined && { name }),
  ...(aliases !== undefined && { aliases: itemsOf(aliases) }),
  ...(format !== undefined && { token_format: choiceOf('--format', tokenFormats, format) }),
  ...(ttl !== undefined && { access_ttl: secondsIn('--ttl', ttl) }),
  ...(alg !== undefined && { alg: choiceOf('--alg', signingAlgs, alg) }),
})

export const resourceListCommand = moduleCommand({
  description: 'List the APIs for which tokens are issued',
  args: { json },
  run: async (ctx, { json: isJson }) => {
    const resources = await listResources(ctx)
    const lines = resources.map(({ id, identifier, enabled, token_format, application }) =>
      [id, enabled ? 'enabled' : 'disabled', token_format, application.key, identifier].join('  '),
    )
    printed(resources, isJson, lines.length > 0 ? lines.join('\n') : 'There are no resources.')
  },
})

export const resourceCreateCommand = moduleCommand({
  description: 'Add an API for which tokens are issued',
  args: {
    identifier: { type: 'positional', description: 'such as https://api.example.com', required: true },
    application: { type: 'string', description: 'the key of its application, whose permissions are its scopes' },
    ...members,
    json,
  },
  run: (ctx, { identifier, application, json: isJson, ...given }) =>
    explained(async () => {
      const application_id = await applicationNamed(ctx, application)
      const id = await createResource(ctx, { principal }, { application_id, identifier, ...inputIn(given) })
      printed({ id, identifier }, isJson, `The resource was added. Its id is ${id}.`)
    }),
})

export const resourceUpdateCommand = moduleCommand({
  description: 'Change, enable or disable an API for which tokens are issued',
  args: {
    resource: resourceArg,
    ...members,
    enable: { type: 'boolean', description: 'enable it again' },
    disable: { type: 'boolean', description: 'reject its tokens' },
    json,
  },
  run: (ctx, { resource, enable, disable, json: isJson, ...given }) =>
    explained(async () => {
      if (enable && disable) throw new Error('Pass either --enable or --disable')
      const { id } = await resourceNamed(ctx, resource)
      const changes = { ...inputIn(given), ...(enable && { enabled: true }), ...(disable && { enabled: false }) }
      if (Object.keys(changes).length === 0) throw new Error('Nothing to change: see --help')
      await updateResourceOf(ctx, { principal, id }, changes)
      printed({ id }, isJson, 'The resource was changed.')
    }),
})

export const resourceDeleteCommand = moduleCommand({
  description: 'Remove an API, and end its tokens',
  args: { resource: resourceArg, json },
  run: (ctx, { resource, json: isJson }) =>
    explained(async () => {
      const { id } = await resourceNamed(ctx, resource)
      await deleteResource(ctx, { principal, id })
      printed({ id }, isJson, 'The resource was removed, and its tokens have ended.')
    }),
})
