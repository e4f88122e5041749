import { moduleCommand } from '../../../hub/module-command.ts'
import { explained, principal, printed } from '../../api-keys/cli/run-command.ts'
import { choiceOf } from '../cli/named.ts'
import { type SigningAlg, signingAlgs } from '../rows.ts'
import { findSigningKeys } from './key-queries.ts'
import { rotateKeys } from './rotate-keys.ts'
import { shownRotation, shownSigningKey } from './shapes.ts'

const json = { type: 'boolean', description: 'print JSON' } as const

export const keysListCommand = moduleCommand({
  description: 'List the keys that sign tokens',
  args: { json },
  run: async ({ db, clock }, { json: isJson }) => {
    const keys = (await findSigningKeys(db)).map((row) => shownSigningKey(row, clock.now()))
    const lines = keys.map(({ alg, status, published, active_from, kid }) =>
      [alg, status, published ? 'published' : 'not published', `signs from ${active_from}`, kid].join('  '),
    )
    printed(keys, isJson, lines.length > 0 ? lines.join('\n') : 'There are no keys: the first token creates one.')
  },
})

export const keysRotateCommand = moduleCommand({
  description: 'Let the next key sign, or replace a compromised key at once',
  args: {
    alg: { type: 'string', description: `${signingAlgs.join(', ')}; default: all that have keys` },
    compromised: { type: 'boolean', description: 'remove all former keys, so that their tokens are rejected' },
    json,
  },
  run: async (ctx, { alg, compromised, json: isJson }) => {
    const rotated = await explained(() => rotateKeys(ctx, { principal }, { alg: algNamed(alg), compromised }))
    const lines = rotated.map((key) => sentences[key.outcome](shownRotation(key)))
    printed(
      rotated.map(shownRotation),
      isJson,
      lines.length > 0 ? lines.join('\n') : 'There are no keys: the first token creates one.',
    )
  },
})

type ShownRotation = ReturnType<typeof shownRotation>

const sentences = {
  activated: ({ alg, kid }: ShownRotation) => `${alg}: ${kid} signs now.`,
  published: ({ alg, kid, active_from }: ShownRotation) =>
    `${alg}: ${kid} was published, and signs from ${active_from}.`,
  replaced: ({ alg, kid }: ShownRotation) => `${alg}: ${kid} signs now. The other keys were removed.`,
}

const algNamed = (text: string | undefined): SigningAlg | undefined =>
  text === undefined ? undefined : choiceOf('--alg', signingAlgs, text)
