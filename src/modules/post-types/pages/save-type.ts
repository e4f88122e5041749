import type { FastifyReply } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import { CreateDefinitionRoute, ListDefinitionsRoute, UpdateDefinitionRoute } from '../schemas.ts'
import { definitionBody } from './designer-body.ts'
import { arrangeRows, type DesignerValues } from './designer-values.ts'
import { acceptanceOf, effectsOf } from './effects.ts'
import { designerPaths, typePath } from './schemas.ts'
import { designerTextsFor } from './texts.ts'

interface SubmittedDesign {
  type: ShownDefinition | undefined
  values: DesignerValues
}

interface DesignOfType extends SubmittedDesign {
  type: ShownDefinition
}

interface DesignOutcome extends SubmittedDesign {
  effects?: string[]
  rejection?: ApiRejection
}

type ShowDesign = (member: AdminVisit, outcome: DesignOutcome, status?: number) => Promise<FastifyReply>

/**
 * Changes the rows of the form, or saves the type. If a change affects existing posts, it is saved only after the page
 * has shown the effects and the user has accepted them.
 */
export async function saveType(member: AdminVisit, design: SubmittedDesign, show: ShowDesign): Promise<FastifyReply> {
  const { type, values } = design
  const path = type ? typePath(type.type_key) : designerPaths.create
  if (!(await member.isOwn(path, values.form_token))) return show(member, { ...design, rejection: expired }, 400)
  const arranged = arrangeRows(values)
  if (arranged) return show(member, { type, values: arranged })
  return type ? updateType(member, { type, values }, show) : createType(member, design, show)
}

async function createType(member: AdminVisit, design: SubmittedDesign, show: ShowDesign): Promise<FastifyReply> {
  const body = definitionBody(design.values, undefined)
  const response = await member.api(call(CreateDefinitionRoute, { body }))
  if (!response.ok) return show(member, { ...design, rejection: response.rejection }, response.status)
  return member.go(`${typePath(response.body.data.type_key)}?done=created`)
}

/** The effects were computed for this version of the type, so the API must not change a later version. */
async function updateType(member: AdminVisit, design: DesignOfType, show: ShowDesign): Promise<FastifyReply> {
  const { type, values } = design
  const effects = effectsOn(member, design)
  const isAccepted = values.accepted === acceptanceOf(type, effects)
  if (effects.length > 0 && !isAccepted) return show(member, { ...design, effects })
  const body = { ...definitionBody(values, type), expected_updated_at: type.updated_at }
  const response = await member.api(call(UpdateDefinitionRoute, { params: { key: type.type_key }, body }))
  if (response.ok) return member.go(`${typePath(type.type_key)}?done=saved`)
  const { rejection, status } = response
  if (rejection.code !== 'EDIT_CONFLICT') return show(member, { ...design, rejection }, status)
  const current = { values, type: await getType(member, type.type_key) }
  return show(member, { ...current, effects: effectsOn(member, current), rejection }, status)
}

const effectsOn = (member: AdminVisit, { type, values }: DesignOfType): string[] =>
  effectsOf(type, definitionBody(values, type), values, designerTextsFor(member.lang))

export const loadTypes = (member: AdminVisit) => member.read(call(ListDefinitionsRoute, { query: { active: false } }))

export async function getType(member: AdminVisit, key: string): Promise<ShownDefinition> {
  const type = (await loadTypes(member)).find((one) => one.type_key === key)
  if (!type) throw new AppError('NOT_FOUND')
  return type
}

const expired: ApiRejection = { code: 'PAGE_EXPIRED' }
