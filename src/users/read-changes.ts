import type { Context } from '../context.ts'
import { type Attempt, readAll } from '../lib/read-all.ts'
import {
  birthdayField,
  freeObjectField,
  genderField,
  languageField,
  nameField,
  phoneField,
  pictureField,
  timeZoneField,
  userNameField,
} from './fields.ts'
import type { UserChanges } from './queries.ts'

/** Members of a user as a request gives them. Only those that a route's schema lists ever arrive here. */
export interface GivenMembers {
  name?: string | undefined
  last_name?: string | undefined
  user_name?: string | undefined
  phone?: string | undefined
  picture?: string | undefined
  lang?: string | undefined
  tmz?: string | undefined
  dob?: string | undefined
  display_name?: string | undefined
  gender?: string | undefined
  title?: string | undefined
  metadata?: Record<string, unknown> | null | undefined
  first_time?: boolean | undefined
}

/**
 * What a request asks to change, every member checked and in canonical form; what it does not mention is absent. ""
 * clears a member that may be empty, and is no change of one that may not. Throws VALIDATION_ERROR with all that is wrong.
 */
export const readChanges = (ctx: Pick<Context, 'config' | 'clock'>, given: GivenMembers): UserChanges =>
  readAll((attempt) => mentioned(ctx, given, attempt))

function mentioned(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  given: GivenMembers,
  attempt: Attempt,
): UserChanges {
  const read = <Cleared>(
    name: TextMember,
    cleared: Cleared,
    check: (field: string, text: string) => string | undefined,
  ) => {
    const text = given[name]
    if (text === undefined) return undefined
    return text.trim() === '' ? cleared : attempt(() => check(name, text))
  }
  const { metadata } = given
  const changes = {
    name: read('name', '', nameField),
    last_name: read('last_name', '', nameField),
    user_name: read('user_name', undefined, userNameField),
    phone: read('phone', null, (field, text) => phoneField(field, text, config)),
    picture: read('picture', '', (field, text) => pictureField(field, text, config)),
    lang: read('lang', undefined, languageField),
    tmz: read('tmz', null, timeZoneField),
    dob: read('dob', null, (field, text) => birthdayField(field, text, clock.now())),
    display_name: read('display_name', null, nameField),
    gender: read('gender', null, genderField),
    title: read('title', null, nameField),
    metadata: metadata === undefined ? undefined : attempt(() => freeObjectField('metadata', metadata ?? {})),
    // It ends once and does not come back.
    first_time: given.first_time === false ? false : undefined,
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

type TextMember = Exclude<keyof GivenMembers, 'metadata' | 'first_time'>
