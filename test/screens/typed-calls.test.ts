import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DetailsRoute } from '../../src/admin/user-details-schemas.ts'
import { LoginRoute } from '../../src/auth/schemas.ts'
import { call, type ResponseOf } from '../../src/ui/shared/api-route.ts'

// The type check fails if one of these mistakes compiles.
export const mistakes = () => [
  // @ts-expect-error the route has no such member
  call(LoginRoute, { body: { email: 'a@example.com', pasword: 'x' } }),
  // @ts-expect-error the route has no such path parameter
  call(DetailsRoute, { params: { id: 'x' } }),
  // @ts-expect-error the path parameter is missing
  call(DetailsRoute),
  // @ts-expect-error the route has no path parameters
  call(LoginRoute, { params: { id: 'x' } }),
  // @ts-expect-error the route takes no query
  call(DetailsRoute, { params: { user_id: 'x' }, query: { page: 1 } }),
]

export const memberOf = (response: ResponseOf<typeof DetailsRoute>) => [
  response.data.user.email,
  // @ts-expect-error the response has no such member
  response.data.user.e_mail,
]

test('a call leaves out query members without a value', () => {
  const { query } = call(
    { operationId: 'one', response: LoginRoute.response },
    { query: new URLSearchParams('a=&b=1') },
  )
  assert.equal(String(query), 'a=&b=1')
  const search = { operationId: 'two', querystring: LoginRoute.body, response: LoginRoute.response }
  const typed = call(search, { query: { email: '', password: undefined, device_id: 'x y' } })
  assert.equal(String(typed.query), 'device_id=x+y')
})
