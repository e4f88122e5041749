import { askService } from './ask-service.ts'
import { cachedSessions } from './cached-sessions.ts'
import { followEvents } from './event-stream.ts'
import type { Settings } from './options.ts'
import type { SessionSource } from './session.ts'

/** Validates sessions using this process's cache. If the cache may be stale, queries the service. */
export const sessionSource = (
  settings: Pick<Settings, 'internalUrl' | 'bridgeSecret' | 'fetch' | 'maxSessions'>,
): SessionSource =>
  cachedSessions({
    ask: askService(settings),
    follow: (handler) => followEvents(settings, handler),
    maxSessions: settings.maxSessions,
  })
