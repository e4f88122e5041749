import type { Static, TSchema } from 'typebox'

/** A route's schema, as returned by `describe`. */
interface ApiRoute {
  operationId: string
  params?: TSchema
  querystring?: TSchema
  body?: TSchema
  response: { 200: TSchema }
}

/** The body of the route's response. */
export type ResponseOf<Route extends ApiRoute> = Static<Route['response'][200]>

/** Checks only the names. Values often come from forms, and the API validates them. */
type Members<Schema, Value> = Schema extends TSchema ? Record<keyof Static<Schema>, Value> : Record<string, never>

interface CallInput<Route extends ApiRoute> {
  /** Members that are undefined or empty are omitted. */
  query?: Partial<Members<Route['querystring'], string | number | boolean | undefined>> | URLSearchParams
  body?: Partial<Members<Route['body'], unknown>>
  headers?: Record<string, string>
  /** If present, the request is sent as multipart/form-data with only this part. */
  file?: { part: string; bytes: Buffer }
}

/** Routes with path parameters require all of them. */
type CallArguments<Route extends ApiRoute> = Route extends { params: TSchema }
  ? [input: CallInput<Route> & { params: Members<Route['params'], string> }]
  : [input?: CallInput<Route> & { params?: never }]

/** `Response` is the type of a successful response's body. */
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

/** Describes a call, such as `call(LoginRoute, { body })`. `visit.api` and `visit.submit` send the request. */
export const call = <Route extends ApiRoute>(
  { operationId }: Route,
  ...[{ params, query, body, headers = {}, file } = {}]: CallArguments<Route>
): ApiCall<ResponseOf<Route>> => ({
  operationId,
  params: (params ?? {}) as Record<string, string>,
  query: query instanceof URLSearchParams ? query : withoutEmpty({ ...query }),
  body: body as object | undefined,
  headers,
  file,
})

const withoutEmpty = (members: object): URLSearchParams =>
  new URLSearchParams(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  )
