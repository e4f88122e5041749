import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement as h, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { Can, SignedIn, SignedOut, useSession, WardenryProvider } from '../../../packages/react/src/index.ts'

const client = {
  currentUser: (): Promise<{ name: string } | null> => assert.fail('nobody is asked while a server renders'),
}

function Name(): ReactNode {
  const { user, status } = useSession<{ name: string }>()
  return `${status} ${user?.name ?? '-'}`
}

const rendered = (initialUser: { name: string } | null | undefined) =>
  renderToString(
    h(WardenryProvider<{ name: string }>, { client, initialUser }, [
      h('p', { key: 1 }, h(Name)),
      h(SignedIn, { key: 2 }, 'for members'),
      h(SignedOut, { key: 3 }, 'for strangers'),
    ]),
  )

test('a server renders what it knows', () => {
  assert.equal(rendered({ name: 'Ada' }), '<p>signed-in Ada</p>for members')
  assert.equal(rendered(null), '<p>signed-out -</p>for strangers')
})

test('a server that does not know the user renders neither the signed-in nor the signed-out content', () => {
  assert.equal(rendered(undefined), '<p>loading -</p>')
})

test('names of users are text, not HTML', () => {
  assert.match(rendered({ name: '<img src=x>' }), /&lt;img src=x&gt;/)
})

test('a component without a provider says so', () => {
  assert.throws(() => renderToString(h(Name)), /requires a <WardenryProvider> above/)
})

test('a misspelt or mistyped property of the provider is refused', () => {
  const client = { currentUser: async () => null }
  const mistakes: [props: object, problem: RegExp][] = [
    [{ client, initialuser: null }, /^WardenryProvider: unknown member initialuser; did you mean initialUser\?$/],
    [{ client: {} }, /^WardenryProvider: client must be an object with the functions currentUser$/],
    [{ client: undefined, Client: client }, /did you mean client\?$/],
  ]
  for (const [props, message] of mistakes)
    assert.throws(() => renderToString(h(WardenryProvider, props as never)), { name: 'TypeError', message })
})

test('content for a permission is shown only to users who have it', () => {
  const page = (initialUser: { permissions?: unknown } | null | undefined) =>
    renderToString(
      h(WardenryProvider<{ permissions?: unknown }>, {
        client: { currentUser: async () => null },
        initialUser,
        children: h(Can, { permission: 'invoices:write' }, 'for accountants'),
      }),
    )
  assert.equal(page({ permissions: ['invoices:read', 'invoices:write'] }), 'for accountants')
  const others = [{ permissions: ['invoices:read'] }, { permissions: 'invoices:write' }, {}, null, undefined]
  for (const user of others) assert.equal(page(user), '')
})
