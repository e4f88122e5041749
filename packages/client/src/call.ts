import type { MaybeOptionalInit } from 'openapi-fetch'
import type { paths } from './api.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** The paths with an operation for this method. */
export type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [Name in M]: object } ? Path : never
}[keyof paths]

type Operation<Path extends keyof paths, M extends Method> = paths[Path][M]

/** An operation's path parameters, query parameters and body. Send files as FormData. */
export type InitOf<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { requestBody: { content: { 'multipart/form-data': unknown } } }
    ? Omit<MaybeOptionalInit<paths[Path], M>, 'body'> & { body: FormData }
    : MaybeOptionalInit<paths[Path], M>

type InitArguments<Init> = object extends Init ? [init?: Init] : [init: Init]

/** The JSON of a successful response, or the `Response` itself if it is not JSON. */
export type ResponseOf<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { responses: { 200: { content: { 'application/json': infer Reply } } } } ? Reply : Response

/** Sends a request to a path that supports this method. Throws a WardenryError for every error response. */
export type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...given: InitArguments<InitOf<Path, M>>
) => Promise<ResponseOf<Path, M>>
