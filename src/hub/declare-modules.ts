import { addDerivations } from '../audit/derive-events.ts'
import { addAuditEvents } from '../audit/events.ts'
import { addSettings } from '../config/settings.ts'
import { addEventTypes } from '../events/types.ts'
import { addLimits } from '../http/limits/rate-limits.ts'
import { addRouteErrors } from '../http/openapi/errors-of.ts'
import { addTags } from '../http/openapi/tags.ts'
import { addErrors } from '../lib/errors.ts'
import { addWriteOnlyNames } from '../lib/write-only.ts'
import { addMessages } from '../outbox/messages.ts'
import type { ModuleDefinition } from './define-module.ts'

const declared = new Set<ModuleDefinition>()

/** Call this before reading the configuration because modules declare settings. */
export function declareModules(definitions: readonly ModuleDefinition[]): readonly ModuleDefinition[] {
  for (const definition of definitions) {
    if (declared.has(definition)) continue
    declared.add(definition)
    addWriteOnlyNames(definition.writeOnlyNames ?? [])
    if (definition.settings) addSettings(definition.settings)
    addErrors(definition.errors ?? {})
    addRouteErrors(definition.routeErrors ?? {})
    addAuditEvents(definition.auditEvents ?? [])
    addEventTypes(definition.events ?? {})
    addDerivations(definition.derivedEvents ?? {})
    addMessages(new URL('mails/', definition.directory), definition.mails ?? {}, definition.mailGroup)
    addLimits(definition.limits ?? {})
    addTags(definition.tags ?? {})
  }
  return definitions
}
