import { atTime } from '../../../../ui/account/when.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import { userPagePath } from '../../users/shared.ts'
import type { ModuleRun } from '../modules.ts'

export function runRows(lang: PageLanguage, runs: readonly ModuleRun[], timeZone: string | null) {
  const { modules: texts, events } = adminTextsFor(lang)
  return runs.map((run) => {
    const isFailed = run.outcome === 'failure'
    const steps = run.steps.map(({ component_id: id, action, from_version: from, to_version: to }) => {
      const versions = [from, to].filter((version) => version !== null)
      return `${id} · ${texts.actions[action]} · ${[...new Set(versions)].join(' → ')}`
    })
    return {
      time: atTime(lang, run.time, timeZone),
      outcome: isFailed ? texts.failed : texts.succeeded,
      chip: isFailed ? 'bad' : 'good',
      by: run.actor_id
        ? { text: run.actor_email ?? run.actor_id, path: userPagePath(run.actor_id) }
        : { text: events.service, path: undefined },
      steps,
      reasons: run.reasons.map(({ field, message }) => `${field}: ${message}`),
      code: run.code,
    }
  })
}
