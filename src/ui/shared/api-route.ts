import type { Static, TSchema } from 'typebox'

/** A route's schema, as returned by `describe`. */
export interface ApiRoute {
  operationId: string
  params?: TSchema
  querystring?: TSchema
  body?: TSchema
  response: { 200: TSchema }
}

/** The body of the route's response. */
export type ResponseOf<Route extends ApiRoute> = Static<Route['response'][200]>

/** The names are those of the schema. The API checks the values, which often come from a form. */
type Members<Schema, Value> = Schema extends TSchema ? { [Name in keyof Static<Schema>]: Value } : Record<string, never>
type SomeMembers<Schema, Value> = Partial<Members<Schema, Value>>

interface Parts<Route extends ApiRoute> {
  params?: Members<Route['params'], string>
  /** Members that are undefined or empty are left out. */
  query?: SomeMembers<Route['querystring'], string | number | boolean | undefined> | URLSearchParams
  body?: SomeMembers<Route['body'], unknown>
  headers?: Record<string, string>
  /** If present, the request is sent as multipart/form-data with only this part. */
  file?: { part: string; bytes: Buffer }
}

/** A call of the API. `Response` is the type of the body of a successful response. */
export interface ApiCall<Response = unknown> {
  operationId: string
  params: Record<string, string>
  query: URLSearchParams
  body: object | undefined
  headers: Record<string, string>
  file: { part: string; bytes: Buffer } | undefined
  /** Never set. Ties the type of the response to the call. */
  response?: Response
}

/** Describes a call of the route, such as `call(LoginRoute, { body })`. `visit.api` and `visit.submit` make it. */
export const call = <Route extends ApiRoute>(
  { operationId }: Route,
  { params, query, body, headers = {}, file }: Parts<Route> = {},
): ApiCall<ResponseOf<Route>> => ({
  operationId,
  params: { ...params } as Record<string, string>,
  query: query instanceof URLSearchParams ? query : searchOf({ ...query }),
  body: body as object | undefined,
  headers,
  file,
})

const searchOf = (members: object): URLSearchParams =>
  new URLSearchParams(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  )
