import type { ListRejectionsRoute } from '../../../../applications/rejection-schemas.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'

type ShownRejection = ResponseOf<typeof ListRejectionsRoute>['data']['rejections'][number]

export interface RejectionGroup extends ShownRejection {
  /** `time` is that of the last one. */
  count: number
}

/** A wrong setting causes the same rejection at every sign-in. The rejections are given newest first. */
export function groupRejections(rejections: readonly ShownRejection[]): RejectionGroup[] {
  const groups = new Map<string, RejectionGroup>()
  for (const rejection of rejections) {
    const { step, reason, parameter, page } = rejection
    const key = JSON.stringify([step, reason, parameter, page])
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { ...rejection, count: 1 })
  }
  return [...groups.values()]
}
