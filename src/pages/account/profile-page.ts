import type { Refusal } from '../call-api.ts'
import { formProblems } from '../form-problems.ts'
import type { PageContext } from '../render.ts'
import { textsFor } from '../texts/index.ts'
import { type Area, renderArea, wordsOf } from './area.ts'
import type { Profile } from './member.ts'
import type { Portrait } from './portrait.ts'
import { languageChoices, zoneChoices } from './profile-choices.ts'

/** What the form of the profile holds; the number has one of its own. */
export interface ProfileForm {
  name: string
  last_name: string
  display_name: string
  user_name: string
  title: string
  gender: string
  dob: string
  lang: string
  tmz: string
}

export interface ProfilePage {
  area: Area
  /** Signed values of the forms. */
  forms: { profile: string; phone: string; picture: string; removePicture: string }
  profile: Profile
  portrait: Portrait
  /** Whether pictures are kept at all, and how large they may be. */
  pictures: { maxBytes: number } | undefined
  /** Whether a number can let its owner in. */
  phoneSignsIn: boolean
  done?: string | undefined
  /** The form that was refused, as it was sent. */
  refused?: Refused | undefined
}

export interface Refused {
  form: 'profile' | 'phone' | 'picture'
  refusal: Refusal
  profile?: ProfileForm
  phone?: string
}

/** What people tell about themselves. */
export function profilePage({ area, profile, refused, ...data }: ProfilePage, page: PageContext): string {
  const { account } = textsFor(page.lang)
  const texts = account.profile
  const problemsOf = (form: Refused['form'], fields: string[]) =>
    formProblems(page.lang, refused?.form === form ? refused.refusal : undefined, {
      fields,
      refusals: form === 'picture' ? texts.pictureRefusals : texts.problems,
    })
  const profileProblems = problemsOf('profile', Object.keys(texts.fields))
  const phoneProblems = problemsOf('phone', ['phone'])
  const value = refused?.profile ?? formOf(profile)
  const text = (name: keyof ProfileForm, more: object = {}) => ({
    name,
    label: texts.fields[name],
    value: value[name],
    problem: profileProblems.fields[name],
    ...more,
  })
  return renderArea(
    area,
    {
      template: 'profile',
      title: texts.title,
      done: wordsOf(account.done, data.done),
      styles: ['profile.css'],
      ...(data.pictures && { scripts: ['picture.js'] }),
      data: {
        texts,
        portrait: { ...data.portrait, large: true },
        pictures: data.pictures && { hint: texts.pictureHint(Math.floor(data.pictures.maxBytes / 1024 / 1024)) },
        picture: { page: data.forms.picture, problem: problemsOf('picture', []).top },
        removePicture: data.forms.removePicture,
        form: { page: data.forms.profile, problem: profileProblems.top },
        names: [
          text('name', { attributes: { maxlength: '100', autocomplete: 'given-name' } }),
          text('last_name', { attributes: { maxlength: '100', autocomplete: 'family-name' } }),
        ],
        fields: [
          text('display_name', {
            hint: texts.displayNameHint,
            attributes: { maxlength: '100', autocomplete: 'nickname' },
          }),
          text('user_name', {
            hint: texts.userNameHint,
            attributes: {
              maxlength: '32',
              required: '',
              autocomplete: 'username',
              autocapitalize: 'none',
              spellcheck: 'false',
            },
          }),
          text('title', { hint: texts.titleHint, attributes: { maxlength: '100', autocomplete: 'honorific-prefix' } }),
          text('gender', { attributes: { maxlength: '32', autocomplete: 'sex' } }),
          text('dob', { attributes: { type: 'date', min: '1900-01-01', autocomplete: 'bday' } }),
        ],
        choices: [
          text('lang', { groups: languageChoices(page.lang, value.lang, texts.anyLanguage, profile.lang !== null) }),
          text('tmz', { groups: zoneChoices(value.tmz, texts) }),
        ],
        phoneForm: { page: data.forms.phone, problem: phoneProblems.top },
        phone: {
          name: 'phone',
          label: texts.number,
          value: refused?.phone ?? profile.phone,
          problem: phoneProblems.fields.phone,
          hint: texts.phoneHint,
          attributes: { type: 'tel', maxlength: '32', autocomplete: 'tel' },
        },
        phoneSignsIn: data.phoneSignsIn,
      },
    },
    page,
  )
}

const formOf = ({ user, lang }: Profile): ProfileForm => ({
  name: user.name,
  last_name: user.last_name,
  display_name: user.display_name ?? '',
  user_name: user.user_name,
  title: user.title ?? '',
  gender: user.gender ?? '',
  dob: user.dob ?? '',
  lang: lang ?? '',
  tmz: user.tmz ?? '',
})
