import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bus, maxMessageLength } from '../../src/adapters/bus/port.ts'
import { eventually } from '../support/eventually.ts'

export interface OpenedBus {
  bus: Bus
  /** Errors thrown by the handlers. */
  errors: unknown[]
}

/** Tests that every bus implementation must pass. `open` returns the nodes of one deployment. */
export function busContract(open: () => Promise<OpenedBus[]>): void {
  test('messages reach every node, including the sender, in the order of sending', async () => {
    const nodes = await open()
    const heard = nodes.map(({ bus }) => {
      const texts: string[] = []
      bus.subscribe('order', (text) => texts.push(text))
      return texts
    })
    const sent = Array.from({ length: 100 }, (_, n) => `${n}: two\nlines, 日本語`)
    for (const text of sent) await nodes[0]?.bus.publish('order', text)
    await eventually(() => heard.every((texts) => texts.length >= sent.length))
    for (const texts of heard) assert.deepEqual(texts, sent)
  })

  test('a handler receives only messages on its own channel', async () => {
    const [node] = await open()
    const heard: string[] = []
    node?.bus.subscribe('mine', (text) => heard.push(text))
    await node?.bus.publish('theirs', 'no')
    await node?.bus.publish('mine', '')
    await eventually(() => heard.length > 0)
    assert.deepEqual(heard, [''])
  })

  test('a handler that throws does not affect other handlers or the bus', async () => {
    const [node] = await open()
    const heard: string[] = []
    node?.bus.subscribe('bad', () => {
      throw new Error('a mistake')
    })
    node?.bus.subscribe('bad', (text) => heard.push(text))
    await node?.bus.publish('bad', 'one')
    await node?.bus.publish('bad', 'two')
    await eventually(() => heard.length === 2)
    assert.equal(node?.errors.length, 2)
  })

  test('refuses messages that would not reach every node', async () => {
    const [node] = await open()
    await node?.bus.publish('c', 'x'.repeat(maxMessageLength - 2))
    await assert.rejects(async () => node?.bus.publish('c', 'x'.repeat(maxMessageLength - 1)), RangeError)
    await assert.rejects(async () => node?.bus.publish('c', '語'.repeat(maxMessageLength / 2)), RangeError)
    await assert.rejects(async () => node?.bus.publish('two\nlines', ''), RangeError)
  })

  test('a working bus reports that no messages can be missing', async () => {
    const [node] = await open()
    await eventually(() => (node?.bus.sinceLastBeat() ?? Number.NaN) < 500)
  })
}
