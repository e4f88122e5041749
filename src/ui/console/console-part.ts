import type { Config } from '../../config/load.ts'
import type { AdminAction } from '../../http/access/permissions.ts'
import type { ApiCall } from '../shared/api-route.ts'
import type { RolesInWords } from './roles.ts'

/** The parts that a module adds to the console. */
export interface ConsolePart {
  /** A sentence at the top of the user page about a state that staff must not miss. */
  notice?(details: UserDetails, lang: string, timeZone: string | null): string | undefined
  /** Boxes on the user page. */
  panels?: readonly UserPanel[]
  /** Actions on the user page. */
  actions?: readonly UserAction[]
  /** Labels and texts for the members that the module adds to users, by member name. */
  members?(lang: string): Readonly<Record<string, MemberWords>>
  /** Sentences for the module's audit events, by event. {actor} and {target} are replaced with names. */
  sentences?(lang: string): Readonly<Record<string, string>>
  /** Sentences for events in which the actor and the target are the same person. */
  ownSentences?(lang: string): Readonly<Record<string, string>>
  /** The title of the module's events in the filter of the audit trail. */
  eventGroup?(lang: string): string
  /** A more specific sentence that depends on the event's details. Undefined if the details are absent. */
  detailed?(lang: string, event: RecordedEvent): string | undefined
}

export interface RecordedEvent {
  event: string
  details: Readonly<Record<string, unknown>>
}

export interface MemberWords {
  label: string
  /** The displayed texts, by value. A value without a text is shown unchanged. */
  values?: Readonly<Record<string, string>>
}

export type FindParts = () => readonly ConsolePart[]

export interface UserPanel {
  title(lang: string): string
  /** The text shown if there are no rows. */
  empty(lang: string): string
  /** Undefined hides the panel. */
  rows(details: UserDetails, lang: string): { title: string; text: string }[] | undefined
}

/** The response of GET /auth/admin/users/{id}, including the members that installed modules add. */
export interface UserDetails {
  user: {
    id: string
    email: string
    user_type: string
    is_verified: boolean
    updated_at: string
    deleted_at?: string
    blocked?: object | null
  } & Readonly<Record<string, unknown>>
  [member: string]: unknown
}

/** An action with a separate page that describes the action and asks for confirmation. */
export interface UserAction {
  /** The last path segment of the action page. */
  name: string
  icon: string
  isDangerous?: true
  /** The right that the API requires. The page offers the action only to visitors who have the right. */
  right: AdminAction
  /** The page to show after the action. The default is the user page. */
  next?: string
  /** Whether the action would change anything for this user. */
  isFor(details: UserDetails): boolean
  words(lang: string): ActionWords
  /** The text of the action page, if the text depends on a setting. */
  text?(lang: string, settings: ActionSettings): string
  fields?: readonly ActionField[]
  /** A second question, if these values have serious consequences. It is confirmed with `confirmed`. */
  question?(lang: string, values: ActionValues, roles: RolesInWords): ActionQuestion | undefined
  /** The name of the action that reverts this action. */
  undo?: string
  /** The values with which `undo` reverts the action that this event records, if it needs any. */
  undoValues?(details: UserDetails, event: RecordedEvent & { time: string }): ActionValues | undefined
  call(details: UserDetails, values: ActionValues): ApiCall
}

export interface ActionSettings {
  config: Config
  now: number
  timeZone: string | null
}

export type ActionValues = Readonly<Record<string, string | undefined>>

/** {name} is replaced with the user's name. */
export interface ActionQuestion {
  title: string
  text: string
  button: string
}

/** {name} is replaced with the user's name. */
export interface ActionWords {
  label: string
  title: string
  text: string
  button: string
  done: string
}

export interface ActionField {
  name: string
  label(lang: string): string
  hint?(lang: string): string
  type?: 'text' | 'email' | 'tel'
  maxLength: number
  isOptional?: true
  /** The first choice of the list is empty. Browsers do not submit the form until another choice is selected. */
  isRequired?: true
  value?(details: UserDetails): string
  /** If present, the field is a list of these choices. */
  choices?(lang: string, grantable: readonly ActionChoice[], details: UserDetails): ActionChoice[]
}

interface ActionChoice {
  value: string
  label: string
}
