import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { describe, ExpectedTime, namedSchema, Pagination, pageMembers, success } from '../http/responses/schemas.ts'
import { appearanceMembers } from './appearance-schemas.ts'
import type { ApplicationState } from './queries.ts'
import { keyPattern, maxAddresses, maxName, maxNote } from './read-input.ts'
import { ruleMembers } from './rule-schemas.ts'
import { Application, applicationExample, kind } from './shown-schemas.ts'

const tag = 'Applications'
const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'

export const applicationStates = ['enabled', 'disabled', 'deleted'] as const satisfies readonly ApplicationState[]

export const applicationParams = Type.Object({
  application_id: Type.String({ maxLength: 100, examples: [exampleValues.id] }),
})

const address = Type.String({ minLength: 1, maxLength: 2_048 })
const members = {
  home_url: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2_048, keepNull: true })),
  return_addresses: Type.Optional(
    Type.Array(address, {
      maxItems: maxAddresses,
      description:
        'addresses to which sign-ins and mailed links may lead: origins, origins with a path prefix, and app schemes. ' +
        'An address belongs to one application. `http://localhost` covers all ports and requires `development`',
      examples: [['https://shop.example.com']],
    }),
  ),
  origins: Type.Optional(
    Type.Array(address, {
      maxItems: maxAddresses,
      description: 'origins whose pages may call the API with the session cookie',
      examples: [['https://shop.example.com']],
    }),
  ),
  development: Type.Optional(
    Type.Boolean({ description: 'accept addresses on the same machine (http://localhost); default: false' }),
  ),
  accepts: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: maxAddresses,
      description:
        "keys of other applications whose sessions may be validated with this one's secrets. Without them, the secrets " +
        'validate browser sessions and the sessions of this application',
      examples: [['wiki']],
    }),
  ),
  ...appearanceMembers,
  ...ruleMembers,
  note: Type.Optional(Type.String({ maxLength: 4 * maxNote, description: `at most ${maxNote} characters` })),
}
const name = Type.String({
  minLength: 1,
  maxLength: 4 * maxName,
  description: `at most ${maxName} characters`,
  examples: ['Shop'],
})

export const OneApplication = withExample(success({ data: Application }), { success: true, data: applicationExample })

export const ListApplicationsRoute = describe(
  {
    operationId: 'listApplications',
    summary: 'List applications',
    description:
      'Applications that were added while the service runs, in the order of their keys, deleted ones last. The settings ' +
      'declare others.',
    tag,
  },
  {
    querystring: Type.Object({
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'part of a key, a name or an address' }),
      ),
      state: Type.Optional(Type.Unsafe<ApplicationState>({ type: 'string', enum: applicationStates })),
      ...pageMembers,
    }),
  },
  withExample(success({ data: Type.Object({ applications: Type.Array(Application), pagination: Pagination }) }), {
    success: true,
    data: {
      applications: [applicationExample],
      pagination: { page: 1, limit: 10, total: 1, pages: 1, has_more: false },
    },
  }),
)

export const CreateApplicationRoute = describe(
  {
    operationId: 'createApplication',
    summary: 'Create an application',
    description:
      'Its addresses are accepted immediately by the node that handles the request, and within a second by the others. ' +
      `All superadmins are sent an email with the new addresses. ${needsProof}`,
    tag,
    errors: ['REAUTH_REQUIRED'],
  },
  {
    body: Type.Object(
      {
        key: Type.String({
          pattern: keyPattern,
          description: 'lowercase letters, digits and hyphens; cannot be changed later',
          examples: ['shop'],
        }),
        name,
        kind,
        ...members,
      },
      { examples: [{ key: 'shop', name: 'Shop', kind: 'website', return_addresses: ['https://shop.example.com'] }] },
    ),
  },
  OneApplication,
)

export const AdoptAddressRoute = describe(
  {
    operationId: 'createApplicationAdoption',
    summary: 'Copy an address of the settings to an application',
    description:
      'The address is in ALLOWED_REDIRECTS or CORS_ORIGINS, or is the origin of FRONTEND_URL. If no application has the ' +
      `key, one is created. \`settings\` lists what remains of each setting without the address. ${needsProof}`,
    tag,
    errors: ['REAUTH_REQUIRED'],
  },
  {
    body: Type.Object(
      {
        address,
        key: Type.String({
          pattern: keyPattern,
          description: 'key of a new or existing application',
          examples: ['shop'],
        }),
        name: Type.Optional(name),
        kind: Type.Optional(kind),
      },
      { examples: [{ address: 'https://shop.example.com', key: 'shop', name: 'Shop' }] },
    ),
  },
  withExample(
    success({
      data: Type.Object({
        application: Application,
        settings: Type.Array(
          namedSchema('SettingWithAddress', Type.Object({ name: Type.String(), rest: Type.Array(Type.String()) })),
        ),
      }),
    }),
    {
      success: true,
      data: {
        application: applicationExample,
        settings: [{ name: 'ALLOWED_REDIRECTS', rest: ['https://blog.example.com'] }],
      },
    },
  ),
)

export const GetApplicationRoute = describe(
  {
    operationId: 'getApplication',
    summary: 'Get an application',
    description: 'Also returns a deleted application, which can be restored.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params: applicationParams },
  OneApplication,
)

export const UpdateApplicationRoute = describe(
  {
    operationId: 'updateApplication',
    summary: 'Update an application',
    description:
      'Members that are not sent stay as they are. A list replaces the present one. All superadmins are sent an email ' +
      `with new addresses. ${needsProof}`,
    tag,
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED', 'EDIT_CONFLICT'],
  },
  {
    params: applicationParams,
    body: Type.Object(
      {
        expected_updated_at: ExpectedTime,
        name: Type.Optional(name),
        kind: Type.Optional(kind),
        ...members,
      },
      { examples: [{ return_addresses: ['https://shop.example.com', 'https://staging.shop.example.com'] }] },
    ),
  },
  OneApplication,
)
