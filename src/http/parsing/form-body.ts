import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { invalidField } from '../../lib/errors.ts'
import { assertString, readText } from './json-body.ts'

export const formType = 'application/x-www-form-urlencoded'

/** Requests without a query share this object, so that it is checked only once. */
export const noQuery: ParsedUrlQuery = Object.freeze({})

export const parseQuery = (text: string): ParsedUrlQuery => (text === '' ? noQuery : parseMembers(text))

/** `maxKeys: 0` removes the default limit of 1,000 members, beyond which duplicates would not be detected. */
const parseMembers = (text: string): ParsedUrlQuery => parse(text, '&', '=', { maxKeys: 0 })

export const isFormPost = (request: FastifyRequest): boolean => mediaTypeOf(request) === formType

/** The largest form on this service's pages has about 500 members. */
const maxMembers = 2_000

export function parseFormBody(bytes: Buffer): Record<string, string> {
  const text = readText(bytes)
  if (text.split('&', maxMembers + 1).length > maxMembers)
    throw invalidField('body', `must have at most ${maxMembers} members`)
  const members = parseMembers(text)
  assertSingle(members)
  return { ...members }
}

/** Rejects duplicates because they are ambiguous. */
export function assertSingle(members: ParsedUrlQuery): asserts members is Record<string, string> {
  for (const name in members) {
    const value = members[name]
    if (typeof value !== 'string') throw invalidField(name.slice(0, 100), 'must be given once')
    assertString(name, name)
    assertString(value, name)
  }
}

/** Reads the header as Fastify does when choosing a parser: case and parameters are ignored. */
export function mediaTypeOf({ headers }: FastifyRequest): string {
  const header = headers['content-type']
  if (header === undefined || header === 'application/json') return header ?? ''
  const [type = ''] = header.split(';', 1)
  return type.trim().toLowerCase()
}
