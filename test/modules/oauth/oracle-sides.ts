import type { TestApp } from '../../support/test-app.ts'
import type { Oracle, OracleSetup } from './oracle.ts'
import type { OracleRequest, TokenName } from './oracle-requests.ts'
import { basic, type MadeClient } from './support.ts'

export interface Answer {
  status: number
  headers: string[]
  json: Record<string, unknown> | undefined
}

interface Sent {
  method?: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
}

/** One of the two servers that are compared. */
export interface Side {
  paths: Record<OracleRequest['endpoint'], string>
  send(sent: Sent): Promise<Answer>
}

const metadata = '/.well-known/openid-configuration'

export const ourSide = (app: TestApp): Side => ({
  paths: { token: '/oauth/token', introspect: '/oauth/introspect', revoke: '/oauth/revoke', metadata },
  async send({ method = 'POST', path, headers, body }) {
    const reply = await app.call(method, path, { headers, ...(body !== undefined && { body }) })
    return { status: reply.status, headers: Object.keys(reply.headers), json: reply.json }
  },
})

export const oracleSide = (oracle: Oracle): Side => ({
  paths: { token: '/token', introspect: '/token/introspection', revoke: '/token/revocation', metadata },
  async send({ method = 'POST', path, headers, body }) {
    const reply = await fetch(oracle.url + path, { method, headers, ...(body !== undefined && { body }) })
    const text = await reply.text()
    const json = text.startsWith('{') ? JSON.parse(text) : undefined
    return { status: reply.status, headers: [...reply.headers.keys()], json }
  },
})

const form = 'application/x-www-form-urlencoded'
type Method = OracleRequest['method']
type Pairs = [name: string, value: string][]
interface Proof {
  authorization?: string
  parameters: Pairs
}

const right = ({ clientId, secret }: MadeClient, method: Method): Proof =>
  method === 'client_secret_basic'
    ? { ...basic({ clientId, secret }), parameters: [] }
    : {
        parameters: [
          ['client_id', clientId],
          ['client_secret', secret],
        ],
      }

/** The setup of the request, and another one. */
type Setups = readonly [OracleSetup, OracleSetup]

const clientOf = ([setup, stranger]: Setups, who: OracleRequest['who']): MadeClient =>
  ({ machine: setup.machine, stranger: stranger.machine, server: setup.server })[who]

function proofOf(setups: Setups, { who, proof, method }: OracleRequest): Proof {
  const client = clientOf(setups, who)
  const proofs: Record<OracleRequest['proof'], Proof> = {
    right: right(client, method),
    'wrong secret': right({ ...client, secret: `${client.secret}x` }, method),
    'no secret': { parameters: [['client_id', client.clientId]] },
    'unknown client': right({ ...client, clientId: 'unknown' }, method),
    none: { parameters: [] },
    twice: { ...right(client, 'client_secret_post'), ...basic(client) },
    'no base64': { authorization: 'Basic ???', parameters: [] },
    'no colon': { authorization: `Basic ${btoa('nothing')}`, parameters: [] },
    'other id in the body': { ...basic(client), parameters: [['client_id', setups[1].server.clientId]] },
    bearer: { authorization: 'Bearer x', parameters: [] },
  }
  return proofs[proof]
}

/** Sends the request to one side, with a token of that side. */
export async function sendTo(side: Side, setups: Setups, request: OracleRequest): Promise<Answer> {
  const path = side.paths[request.endpoint]
  if (request.endpoint === 'metadata') {
    const headers: Record<string, string> = request.hasOrigin ? { origin: 'https://app.example.com' } : {}
    return side.send({ method: request.verb, path, headers })
  }
  const { parameters, ...proof } = proofOf(setups, request)
  const [setup, stranger] = setups
  const values: Record<string, string> = {
    '{read}': setup.application.read,
    '{write}': setup.application.write,
    '{foreign}': stranger.application.read,
    '{api}': setup.api.identifier,
    '{foreign api}': stranger.api.identifier,
  }
  const filled = (text: string) => text.replaceAll(/\{[a-z ]+\}/g, (found) => values[found] ?? found)
  const pairs: Pairs = [
    ...request.parameters.map(([name, value]): Pairs[number] => [name, filled(value)]),
    ...parameters,
  ]
  const token = await presentedTo(side, setups, request.token, request.method)
  if (token !== undefined) pairs.push(['token', token])
  if (request.body === 'none') return side.send({ path, headers: proof })
  const isForm = request.body === 'form'
  return side.send({
    path,
    headers: { ...proof, 'content-type': isForm ? form : 'application/json' },
    body: isForm ? new URLSearchParams(pairs).toString() : JSON.stringify(Object.fromEntries(pairs)),
  })
}

async function presentedTo(side: Side, [setup, stranger]: Setups, kind: TokenName | undefined, method: Method) {
  if (kind === undefined || kind === 'missing') return undefined
  if (kind === 'empty') return ''
  if (kind === 'garbage') return 'garbage'
  const { machine } = kind === 'of a stranger' ? stranger : setup
  const token = await issuedBy(side, machine, method)
  if (kind === 'changed') return `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  if (kind === 'revoked') await sendForm(side, 'revoke', machine, { method, pairs: [['token', token]] })
  return token
}

interface Form {
  method: Method
  pairs: Pairs
}

function sendForm(
  side: Side,
  endpoint: 'token' | 'revoke',
  client: MadeClient,
  { method, pairs }: Form,
): Promise<Answer> {
  const { parameters, ...headers } = right(client, method)
  const body = new URLSearchParams([...pairs, ...parameters]).toString()
  return side.send({ path: side.paths[endpoint], headers: { ...headers, 'content-type': form }, body })
}

export async function issuedBy(
  side: Side,
  client: MadeClient,
  method: Method = 'client_secret_basic',
): Promise<string> {
  const { json } = await sendForm(side, 'token', client, { method, pairs: [['grant_type', 'client_credentials']] })
  if (typeof json?.access_token !== 'string') throw new Error(JSON.stringify(json))
  return json.access_token
}
