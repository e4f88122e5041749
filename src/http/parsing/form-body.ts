import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { invalidField } from '../../lib/errors.ts'
import { assertString, readText } from './json-body.ts'
import { mediaTypeOf } from './media-type.ts'

export const formType = 'application/x-www-form-urlencoded'

/** All of them: the parser's own bound of a thousand would hide the second of two equal names behind a crowd of others. */
export const parseMembers = (text: string): ParsedUrlQuery => parse(text, '&', '=', { maxKeys: 0 })

/** Whether the body came as a form: from a page without scripts, not from a program. */
export const isFormPost = (request: FastifyRequest): boolean => mediaTypeOf(request) === formType

/** Bytes of a form post → its members, each of which is one text. */
export function parseFormBody(bytes: Buffer): Record<string, string> {
  const members = parseMembers(readText(bytes))
  assertSingle(members)
  return { ...members }
}

/** Refuses what is given twice: nobody can say which one was meant. */
export function assertSingle(members: ParsedUrlQuery): asserts members is Record<string, string> {
  for (const name in members) {
    const value = members[name]
    if (typeof value !== 'string') throw invalidField(name.slice(0, 100), 'must be given once')
    assertString(name, name)
    assertString(value, name)
  }
}
