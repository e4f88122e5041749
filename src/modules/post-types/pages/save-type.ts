import type { FastifyReply } from 'fastify'
import type { AdminVisit } from '../../../pages/admin/shared/admin-visit.ts'
import type { ApiRefusal } from '../../../pages/shared/call-api.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import { definitionBody } from './designer-body.ts'
import { arrangeRows, type DesignerValues } from './designer-values.ts'
import { effectsOf } from './effects.ts'
import { designerPaths, typePath } from './schemas.ts'
import { designerTextsFor } from './texts.ts'

export const designerApi = '/api/v1/post-types'

interface SubmittedDesign {
  type: ShownDefinition | undefined
  values: DesignerValues
}

interface DesignOutcome extends SubmittedDesign {
  effects?: string[]
  refusal?: ApiRefusal
}

type ShowDesign = (member: AdminVisit, outcome: DesignOutcome, status?: number) => Promise<FastifyReply>

/**
 * Changes the rows of the form, or saves the type. A change that affects existing posts is saved only if the form
 * contains the effects that the previous page has shown.
 */
export async function saveType(member: AdminVisit, design: SubmittedDesign, show: ShowDesign): Promise<FastifyReply> {
  const { type, values } = design
  const path = type ? typePath(type.type_key) : designerPaths.create
  if (!(await member.isOwn(path, values.form_token))) return show(member, { ...design, refusal: expired }, 400)
  const arranged = arrangeRows(values)
  if (arranged) return show(member, { type, values: arranged })
  const body = definitionBody(values, type)
  const effects = type ? effectsOf(type, body, values, designerTextsFor(member.lang)) : []
  if (effects.length > 0 && values.accepted !== JSON.stringify(effects)) return show(member, { ...design, effects })
  const answer = await member.api<{ data: ShownDefinition }>(
    type
      ? { method: 'PUT', path: `${designerApi}/${type.type_key}`, body }
      : { method: 'POST', path: designerApi, body },
  )
  if (!answer.ok) return show(member, { ...design, refusal: answer.refusal }, answer.status)
  return member.go(`${typePath(answer.body.data.type_key)}?done=${type ? 'saved' : 'created'}`)
}

const expired: ApiRefusal = { code: 'PAGE_EXPIRED' }
