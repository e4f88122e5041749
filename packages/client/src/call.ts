import type { MaybeOptionalInit } from 'openapi-fetch'
import type { paths } from './api.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** The paths that know a method. */
export type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [Name in M]: object } ? Path : never
}[keyof paths]

type Operation<Path extends keyof paths, M extends Method> = paths[Path][M]

/** Path and query parameters, and the body, of one operation. A file is sent as FormData. */
export type InitOf<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { requestBody: { content: { 'multipart/form-data': unknown } } }
    ? Omit<MaybeOptionalInit<paths[Path], M>, 'body'> & { body: FormData }
    : MaybeOptionalInit<paths[Path], M>

type InitArguments<Init> = object extends Init ? [init?: Init] : [init: Init]

/** The JSON of a success; the response itself where the service sends something else. */
export type ReplyOf<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { responses: { 200: { content: { 'application/json': infer Reply } } } } ? Reply : Response

/** One method on every path that knows it. Throws a WardenryError for every refusal. */
export type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...given: InitArguments<InitOf<Path, M>>
) => Promise<ReplyOf<Path, M>>
