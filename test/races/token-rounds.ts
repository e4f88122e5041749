import assert from 'node:assert/strict'
import {
  askToken,
  basic,
  type MachineSetup,
  machineSetup,
  type OAuthAdmin,
  postForm,
  tokenOf,
} from '../modules/oauth/support.ts'
import { eventually } from '../support/eventually.ts'
import { bridgeSecret } from '../support/test-app.ts'
import type { RevocationKind } from './token-kinds.ts'
import { heal, type MessageFault, type TokenNode, type TokenNodes, watch } from './token-nodes.ts'

export interface Round {
  kind: RevocationKind
  fault: MessageFault
  format: 'jwt' | 'opaque'
  /** The node that makes the change. */
  by: 0 | 1
}

/** In milliseconds after the response to the change. */
const bound = 1_000
/** How long a node that hears nothing is watched. */
const deafFor = 1_300
const burst = 4
const maxLater = 8

/**
 * Makes the change while both nodes issue and read tokens. Returns the milliseconds after which both nodes rejected all
 * tokens, which are also those that requests from after the change get.
 */
export async function playRound({ nodes, pass }: TokenNodes, round: Round): Promise<number> {
  const { kind, fault, format, by } = round
  pass()
  const [here, there] = [nodes[by], nodes[by === 0 ? 1 : 0]]
  const setup = await setUp(here.admin, kind, format)
  const tokens: string[] = await usedTokens(here, there, setup)
  const given = [...tokens]
  const read = (node: TokenNode, texts: readonly string[]) => acceptances(node, setup, kind, texts)
  const issuing = fault.isDeaf ? [here] : nodes

  fault.begin(here, there)
  const first = Promise.all([
    ...issuing.flatMap((node) => Array.from({ length: burst }, () => issue(node, setup, kind, tokens))),
    ...nodes.map((node) => read(node, given)),
  ])
  await kind.change(here, setup, given)
  const isUndoneAtOnce = fault.isUndoneAtOnce && kind.undo !== undefined
  const changedAt = performance.now()
  // Tokens that are issued later are valid.
  const undone = isUndoneAtOnce ? first.then(() => kind.undo?.(there, setup)) : undefined
  const since = () => performance.now() - changedAt
  const areLaterRejected = kind.later === undefined && !isUndoneAtOnce

  const later: Promise<void>[] = []
  const attempt = (node: TokenNode) => async () => {
    if (areLaterRejected && later.length < maxLater) later.push(issue(node, setup, kind, tokens))
    return read(node, await endedOnly(here, kind, tokens))
  }
  const isOver = (rejectedFrom: number) => since() > (fault.isDeaf ? deafFor : Math.min(5 * bound, rejectedFrom + 60))
  const watching = nodes.map((node) => watch(attempt(node), ({ rejectedFrom }) => isOver(rejectedFrom)))
  const ended = await Promise.all(watching)
  for (const proxy of nodes.flatMap(({ toDatabase, toRedis }) => [toDatabase, toRedis])) proxy?.heal()
  await Promise.all([first, undone, ...later, ...ended.map(({ rest }) => rest)])

  const name = `${kind.name}, ${format}, ${fault.name}, node ${by}`
  for (const [at, { watched }] of ended.entries()) {
    const limit = at === by ? 0 : bound
    assert.ok(watched.acceptedAt < limit, `${name}: node ${at} after ${watched.acceptedAt} ms: ${watched.seen}`)
  }
  await heal(nodes)
  await assertNothingRevived(nodes, { setup, kind, tokens, here, isUndone: isUndoneAtOnce === true }, name)
  return Math.max(...ended.map(({ watched }) => watched.rejectedFrom))
}

const applications = new WeakMap<OAuthAdmin, ReturnType<OAuthAdmin['application']>>()

/** Creating an application takes longer than a round, so it is used again unless the change concerns it. */
async function setUp(admin: OAuthAdmin, { isOfApplication }: RevocationKind, format: string): Promise<MachineSetup> {
  const application = (isOfApplication ? undefined : applications.get(admin)) ?? admin.application()
  if (!isOfApplication) applications.set(admin, application)
  return machineSetup(admin, { token_format: format }, await application)
}

/** Tokens that both nodes, one of them, or none have read. */
async function usedTokens(here: TokenNode, there: TokenNode, setup: MachineSetup): Promise<string[]> {
  await eventually(async () => (await askToken(there.app, setup.machine)).status === 200)
  const tokens: string[] = []
  for (const readers of [[here, there], [here], [there], []]) {
    const token = await tokenOf(here.app, setup.machine)
    for (const { app } of readers) assert.equal((await introspected(app, setup, token)).active, true)
    tokens.push(token)
  }
  return tokens
}

const introspected = async (app: TokenNode['app'], { server }: MachineSetup, token: string) =>
  (await postForm(app, '/oauth/introspect', { token }, basic(server))).json

/** Which tokens the node accepts in which ways. A token that has lost the scope is not accepted for it. */
async function acceptances(
  { app }: TokenNode,
  setup: MachineSetup,
  { isOfScope }: RevocationKind,
  tokens: readonly string[],
): Promise<string[]> {
  const resource = setup.api.identifier
  const scopes = isOfScope ? [setup.application.write] : []
  const query = new URLSearchParams({ accept: 'token', resource, ...(isOfScope && { scope: scopes.join() }) })
  const asBackEnd = { 'x-bridge-secret': bridgeSecret }
  const found = tokens.map(async (token) => {
    const [seen, validated, verified] = await Promise.all([
      introspected(app, setup, token),
      app.post('/auth/bridge/validate', { credential: token, resource, scopes }, { headers: asBackEnd }),
      app.get(`/auth/verify?${query}`, { headers: { ...asBackEnd, authorization: `Bearer ${token}` } }),
    ])
    const has = scopes.every((scope) => (seen.scope ?? '').split(' ').includes(scope))
    const ways = {
      introspection: seen.active === true && has,
      bridge: validated.status === 200,
      gateway: verified.status === 200,
    }
    return Object.entries(ways).flatMap(([way, isAccepted]) =>
      isAccepted ? [`${way} ${validated.json.cacheSource}`] : [],
    )
  })
  return (await Promise.all(found)).flat()
}

async function issue({ app }: TokenNode, setup: MachineSetup, { isOfScope }: RevocationKind, tokens: string[]) {
  const { status, json } = await askToken(app, setup.machine)
  if (status === 200) return void tokens.push(json.access_token)
  const isExpected = ['invalid_client', 'invalid_target', 'invalid_scope'].includes(json.error) && !isOfScope
  assert.ok(isExpected || status >= 500, JSON.stringify(json))
}

/** Without those that a new key has signed, or that nobody has revoked. */
async function endedOnly({ app }: TokenNode, { later, isOfJwts }: RevocationKind, tokens: readonly string[]) {
  if (later === undefined) return tokens
  if (!isOfJwts) return tokens.slice(0, burst)
  const { keys } = (await app.get('/oauth/jwks')).json
  const kidOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid
  return tokens.filter((token) => !keys.some(({ kid }: { kid: string }) => kid === kidOf(token)))
}

interface Outcome {
  setup: MachineSetup
  kind: RevocationKind
  tokens: readonly string[]
  here: TokenNode
  isUndone: boolean
}

async function assertNothingRevived(nodes: readonly TokenNode[], outcome: Outcome, name: string): Promise<void> {
  const { setup, kind, here, isUndone } = outcome
  const tokens = await endedOnly(here, kind, outcome.tokens)
  if (kind.undo) {
    if (!isUndone) await kind.undo(here, setup)
    for (const { app } of nodes)
      await eventually(async () => {
        const { status, json } = await askToken(app, setup.machine)
        if (status !== 200) return false
        const accepted = await Promise.all(nodes.map((node) => acceptances(node, setup, kind, [json.access_token])))
        return accepted.every(({ length }) => length === 3)
      })
  }
  for (const [at, node] of nodes.entries())
    assert.deepEqual(await acceptances(node, setup, kind, tokens), [], `${name}: node ${at} in the end`)
}
