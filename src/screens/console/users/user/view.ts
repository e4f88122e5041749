import type { AdminAction } from '../../../../http/access/permissions.ts'
import { ago, atTime, onDay } from '../../../../ui/account/when.ts'
import type { ConsolePart, UserAction } from '../../../../ui/console/console-part.ts'
import { unlockPath } from '../../../../ui/console/entries.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { addressOf } from '../../../../ui/console/pager.ts'
import { roleName, roleRights } from '../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { auditPath } from '../../audit/search.ts'
import { eventSentence, type ShownAuditEvent } from '../../shared/sentences.ts'
import {
  chipsOf,
  deletionDays,
  deviceName,
  durationText,
  faceOf,
  fullNameOf,
  userPagePath,
  usersPath,
} from '../shared.ts'
import { factsOf, otherMembers } from './facts.ts'
import { passkeyPanel } from './passkey-panel.ts'
import { isInvited, type ManagedUser, type SignInLock, type UserSession } from './read-user.ts'
import { rolePanel } from './role-panel.ts'

/** Ending a session needs no confirmation page because the user can sign in again. */
export const endSessionName = 'end-session'

export interface UserPage {
  area: AdminArea
  may(right: AdminAction): boolean
  person: ManagedUser
  /** The lock after failed sign-ins. */
  lock?: SignInLock | undefined
  events: ShownAuditEvent[]
  parts: readonly ConsolePart[]
  actions: readonly UserAction[]
  viewer: { id: string; role: string }
  endForm: string
  /** Returns the CSRF token for a form that posts to this path. */
  sign(path: string): string
  /** The lifetime of an invitation link, in milliseconds. */
  inviteTtl: number
  /** How long a deleted user can be restored, in milliseconds. */
  deletedRetention: number
  now: number
  timeZone: string | null
  done?: string | undefined
}

export function userPage(data: UserPage, page: PageContext): string {
  const { area, may, person, parts } = data
  const { lang } = page
  const { person: texts, people } = adminTextsFor(lang)
  const { user } = person
  const name = fullNameOf(user)
  const path = userPagePath(user.id)
  const isOwn = user.id === data.viewer.id
  const possible = data.actions.filter((action) => may(action.right) && action.isFor(person))
  const [first, ...others] = possible
  const shown = (action: UserAction) => ({
    path: `${path}/${action.name}`,
    icon: action.icon,
    label: action.words(lang).label,
    isDangerous: action.isDangerous === true,
  })
  return renderAdminLayout(
    area,
    {
      template: new URL('./user.eta', import.meta.url),
      styles: ['people.css'],
      title: name,
      parent: { path: usersPath, label: people.title },
      action: first && shown(first),
      ...outcomeOf(data, possible, page),
      data: {
        texts,
        face: faceOf(page.publicUrl, user),
        email: user.email,
        chips: chipsOf(lang, { user, state: isInvited(person) ? 'invited' : 'joined' }, area.roles),
        invited: isInvited(person) ? texts.invited : undefined,
        role: {
          name: roleName(lang, user.user_type, area.roles),
          rights: roleRights(lang, user.user_type, area.roles),
        },
        actionGroups: [
          { label: texts.actions, actions: others.filter((action) => !action.isDangerous).map(shown) },
          { label: texts.dangerousActions, actions: others.filter(isRisky).toSorted(deletionLast).map(shown) },
        ].filter((group) => group.actions.length > 0),
        isOwn,
        block: blockOf(data, page),
        lock: lockOf(data, page),
        notices: parts.flatMap(({ notice }) => notice?.(person, lang, data.timeZone) ?? []),
        facts: factsOf(person, lang, data.timeZone),
        hasDetails: person.sessions !== undefined,
        password: person.has_password ? texts.passwordSet : texts.passwordNotSet,
        identities: identitiesOf(data, page),
        panels: panelsOf(data, lang),
        noSessions: mayHideSessions(data) ? texts.hiddenSessions : texts.noSessions,
        sessions: (person.sessions ?? []).map((session) => sessionRow(session, data, page)),
        end: { form: data.endForm, target: `${path}/${endSessionName}` },
        auditLinks: auditLinksOf(user.id, lang),
        others: otherMembers(person, lang, parts),
        metadata: metadataOf(person),
        events: eventsOf(data, page),
      },
    },
    page,
  )
}

const isRisky = ({ isDangerous }: UserAction): boolean => isDangerous === true

/** Modules add their actions after those of the core. */
const deletionLast = (one: UserAction, other: UserAction): number =>
  Number(one.name === 'delete') - Number(other.name === 'delete')

function outcomeOf(
  { area, person, actions, events, viewer, done, inviteTtl, sign }: UserPage,
  possible: readonly UserAction[],
  { lang }: PageContext,
) {
  const { person: texts } = adminTextsFor(lang)
  if (done === undefined) return {}
  if (done === 'not-ended') return { problem: texts.outcomes['not-ended'] }
  const action = actions.find(({ name }) => name === done)
  if (!action) {
    const others: Readonly<Record<string, string>> = texts.outcomes
    const values = { email: person.user.email, time: durationText(lang, inviteTtl) }
    return Object.hasOwn(others, done) ? { done: fill(others[done] ?? '', values) } : {}
  }
  const undo = possible.find(({ name }) => name === action.undo)
  const { user } = person
  const role = roleName(lang, user.user_type, area.roles)
  const sentence = fill(action.words(lang).done, { name: fullNameOf(user), role })
  if (!undo) return { done: sentence }
  const path = `${userPagePath(person.user.id)}/${undo.name}`
  const values = events
    .filter(({ actor_id, target_id }) => actor_id === viewer.id && target_id === user.id)
    .map((event) => action.undoValues?.(person, event))
    .find((found) => found !== undefined)
  const needsPage = undo.isDangerous || (undo.fields && !values)
  return needsPage
    ? { done: sentence, doneLink: { path, label: undo.words(lang).label } }
    : { done: sentence, doneForm: { path, label: texts.undo, token: sign(path), values } }
}

function blockOf(
  { person: { user }, timeZone, deletedRetention }: UserPage,
  { lang }: PageContext,
): string | undefined {
  const { person: texts } = adminTextsFor(lang)
  if (user.deleted_at) {
    return fill(texts.deletedOn, deletionDays(lang, { deletedAt: user.deleted_at, deletedRetention, timeZone }))
  }
  if (!user.blocked) return undefined
  const { reason, since, until } = user.blocked
  const text = until === null ? texts.blocked : texts.blockedUntil
  const time = until === null ? '' : atTime(lang, until, timeZone)
  return fill(text, { reason, since: onDay(lang, since, timeZone), until: time })
}

function lockOf({ person, lock, may, timeZone }: UserPage, { lang }: PageContext) {
  if (!lock) return undefined
  const { locks } = adminTextsFor(lang).person
  const text = fill(locks[lock.kind], { until: atTime(lang, lock.until, timeZone) })
  return { text, form: may('unlock') && lock.form, path: unlockPath, userId: person.user.id, button: locks.lift }
}

function identitiesOf({ person, timeZone }: UserPage, { lang }: PageContext) {
  const { linkedOn } = adminTextsFor(lang).person
  return (person.identities ?? []).map(({ provider, email, linked_at }) => ({
    title: provider,
    text: [email, fill(linkedOn, { day: onDay(lang, linked_at, timeZone) })].filter(Boolean).join(' · '),
  }))
}

const eventsOf = ({ events, parts, now, timeZone }: UserPage, { lang }: PageContext) =>
  events.map((event) => ({
    parts: eventSentence(lang, event, parts),
    failed: event.outcome === 'failure',
    when: ago(lang, event.time, now),
    at: atTime(lang, event.time, timeZone),
  }))

function panelsOf({ person, parts, timeZone }: UserPage, lang: PageLanguage) {
  const ofModules = parts
    .flatMap(({ panels = [] }) => panels)
    .flatMap((panel) => {
      const rows = panel.rows(person, lang)
      return rows ? [{ title: panel.title(lang), rows, empty: panel.empty(lang) }] : []
    })
  const ofCore = [rolePanel(person, lang, timeZone), passkeyPanel(person, lang, timeZone)]
  return [...ofCore.filter((panel) => panel !== undefined), ...ofModules]
}

/** The API hides the sessions of administrators from users with lower roles. */
const mayHideSessions = ({ person: { user }, viewer }: UserPage): boolean =>
  ['admin', 'superadmin'].includes(user.user_type) && viewer.role !== 'superadmin'

const kinds: Readonly<Record<string, string>> = { active: 'good', pending: 'warn' }

function sessionRow(session: UserSession, { may, now, timeZone }: UserPage, { lang }: PageContext) {
  const { person: texts } = adminTextsFor(lang)
  const isLive = session.status === 'active' || session.status === 'pending'
  const device = deviceName(session.userAgent, session.userDevice, texts.unknownDevice)
  return {
    id: session.id,
    title: session.application === null ? device : session.application.replace(/^https?:\/\/|:$/g, ''),
    state: texts.states[session.status as keyof typeof texts.states] ?? session.status,
    kind: kinds[session.status] ?? '',
    used: fill(texts.lastUsed, { time: ago(lang, session.lastUsedAt, now) }),
    started: fill(texts.signedIn, { day: atTime(lang, session.createdAt, timeZone) }),
    address: session.ipAddress,
    canEnd: isLive && may('end_sessions'),
    endLabel: fill(texts.endOf, { device }),
  }
}

const auditLinksOf = (id: string, lang: string) => {
  const { auditLinks } = adminTextsFor(lang).person
  return (['person', 'actor', 'target'] as const).map((name) => ({
    path: addressOf(auditPath, { [name]: id }),
    label: auditLinks[name],
  }))
}

const metadataOf = ({ profile }: ManagedUser): string | undefined =>
  profile && Object.keys(profile.metadata).length > 0 ? JSON.stringify(profile.metadata, null, 2) : undefined
