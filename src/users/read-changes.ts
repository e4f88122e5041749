import { isFieldUsed } from '../config/profile-fields.ts'
import type { Context } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { readAll, type TryRead } from '../lib/read-all.ts'
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

/** The route's schema limits which members a request can contain. */
export interface UserMembersInput {
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
  first_time?: boolean
}

/**
 * Omits members that the input does not contain. Empty text clears an optional member. Throws VALIDATION_ERROR with all
 * problems.
 */
export const readChanges = (ctx: Pick<Context, 'config' | 'clock'>, input: UserMembersInput): UserChanges =>
  readAll((attempt) => mentioned(ctx, input, attempt))

function mentioned(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  input: UserMembersInput,
  attempt: TryRead,
): UserChanges {
  const read = <Cleared>(
    name: TextMember,
    cleared: Cleared,
    check: (field: string, text: string) => string | undefined,
  ) => {
    const text = input[name]
    if (text === undefined) return undefined
    // Forms and clients that send back a complete user contain the empty fields, too.
    if (!isFieldUsed(config, name)) return text.trim() === '' ? undefined : attempt(() => rejectUnused(name))
    return text.trim() === '' ? cleared : attempt(() => check(name, text))
  }
  const { metadata } = input
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
    // Users can change this value only to false.
    first_time: input.first_time === false ? false : undefined,
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

function rejectUnused(name: string): undefined {
  throw invalidField(name, 'is not a profile field of this service')
}

type TextMember = Exclude<keyof UserMembersInput, 'metadata' | 'first_time'>
