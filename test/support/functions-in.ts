import { parseSync } from 'rolldown/utils'

export interface FoundFunction {
  /** The name, or that of the variable, member or function that contains an anonymous function. */
  name: string
  parameters: number
  lines: number
}

const kinds = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

export function functionsIn(file: string, text: string): FoundFunction[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`cannot parse ${file}: ${errors[0]?.message}`)
  const found: FoundFunction[] = []
  visit(program, '')
  return found

  function visit(value: unknown, container: string): void {
    if (Array.isArray(value)) for (const item of value) visit(item, container)
    else if (isNode(value)) {
      const name = nameOf(value) ?? container
      if (kinds.has(value.type)) found.push({ name, ...sizeOf(value, text) })
      for (const member of Object.values(value)) if (typeof member === 'object') visit(member, name)
    }
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function nameOf({ id, key }: Node): string | undefined {
  const named = isNode(id) ? id : key
  return isNode(named) && typeof named.name === 'string' ? named.name : undefined
}

const sizeOf = ({ params, start, end }: Node, text: string) => ({
  parameters: Array.isArray(params) ? params.length : 0,
  lines: text.slice(start, end).split('\n').length,
})
