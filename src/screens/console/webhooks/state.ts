import { atTime } from '../../../ui/account/when.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import type { ShownWebhook } from './paths.ts'

/** Returns the state of a webhook as a chip, and a sentence if the webhook needs attention. */
export function webhookState(lang: PageLanguage, webhook: ShownWebhook, timeZone: string | null) {
  const { webhooks: texts } = adminTextsFor(lang)
  const { enabled, disabled_reason, failing_since } = webhook
  if (!enabled)
    return {
      state: texts.states.disabled,
      chip: disabled_reason ? 'bad' : 'warn',
      why: disabled_reason ? texts.reasons[disabled_reason] : undefined,
    }
  if (failing_since)
    return {
      state: texts.states.failing,
      chip: 'bad',
      why: fill(texts.failingSince, { time: atTime(lang, failing_since, timeZone) }),
    }
  return { state: texts.states.enabled, chip: 'good', why: undefined }
}
