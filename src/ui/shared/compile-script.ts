import { Script } from 'node:vm'

/** The first error in statements of an ES module without imports and exports. Does not run them. */
export function compileError(code: string): string | undefined {
  try {
    new Script(`async () => { 'use strict'; {${code}\n} }`)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Whether a place in the code is outside of comments, strings and templates. There, one more bracket is an error. The
 * code must compile.
 */
export const isCode = (code: string, index: number): boolean =>
  compileError(`${code.slice(0, index)})${code.slice(index)}`) !== undefined
