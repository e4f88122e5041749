import { type AccountArea, accountText, renderAccountLayout } from '../../../ui/account/layout.ts'
import type { Field } from '../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import type { AccountPortrait, AccountProfile } from '../../../ui/shared/profile.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'
import { languageChoices, zoneChoices } from './profile-choices.ts'

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
  area: AccountArea
  forms: { profile: string; phone: string; picture: string; removePicture: string }
  profile: AccountProfile
  portrait: AccountPortrait
  /** Undefined if pictures are disabled. */
  pictures: { maxBytes: number } | undefined
  phoneSignsIn: boolean
  isShown: (name: string) => boolean
  /** Whether the browser may have passkeys, which show the user’s name. */
  hasPasskeys: boolean
  done?: string | undefined
  refused?: RejectedForm | undefined
}

export interface RejectedForm {
  form: 'profile' | 'phone' | 'picture'
  rejection: ApiRejection
  profile?: ProfileForm
  phone?: string
}

const attributes = {
  name: { maxlength: 100, autocomplete: 'given-name' },
  last_name: { maxlength: 100, autocomplete: 'family-name' },
  display_name: { maxlength: 100, autocomplete: 'nickname' },
  user_name: {
    maxlength: 32,
    required: true,
    autocomplete: 'username',
    autocapitalize: 'none',
    spellcheck: 'false',
  },
  title: { maxlength: 100, autocomplete: 'honorific-prefix' },
  gender: { maxlength: 32, autocomplete: 'sex' },
  dob: { type: 'date', min: '1900-01-01', autocomplete: 'bday' },
} as const satisfies Partial<Record<keyof ProfileForm, Partial<Field>>>

export function profilePage({ area, profile, refused, ...data }: ProfilePage, page: PageContext): string {
  const { account } = textsFor(page.lang)
  const texts = account.profile
  const problemsOf = (form: RejectedForm['form'], fields: string[]) =>
    formProblems(page.lang, refused?.form === form ? refused.rejection : undefined, {
      fields,
      rejections: form === 'picture' ? texts.pictureRejections : texts.problems,
    })
  const profileProblems = problemsOf('profile', Object.keys(texts.fields))
  const phoneProblems = problemsOf('phone', ['phone'])
  const shown = <Field extends { name: string }>(fields: Field[]) => fields.filter(({ name }) => data.isShown(name))
  const value = refused?.profile ?? formOf(profile)
  const field = (name: keyof ProfileForm, more: Partial<Field>): Field => ({
    name,
    label: texts.fields[name],
    value: value[name],
    problem: profileProblems.fields[name],
    ...more,
  })
  const text = (name: keyof typeof attributes, hint?: string) =>
    field(name, { hint, hidesHint: true, ...attributes[name] })
  return renderAccountLayout(
    area,
    {
      template: new URL('./profile.eta', import.meta.url),
      title: texts.title,
      done: accountText(account.done, data.done),
      styles: ['dialog.css', 'profile.css'],
      scripts: [
        ...(data.pictures ? ['picture.js'] : []),
        ...(data.hasPasskeys && data.done ? ['passkey-list.js'] : []),
      ],
      data: {
        texts,
        portrait: { ...data.portrait, large: true },
        pictures: data.pictures && {
          hint: fill(texts.pictureHint, { megabytes: Math.floor(data.pictures.maxBytes / 1024 / 1024) }),
        },
        picture: { formToken: data.forms.picture, problem: problemsOf('picture', []).top },
        removePicture: data.forms.removePicture,
        form: { formToken: data.forms.profile, problem: profileProblems.top },
        names: shown([text('name'), text('last_name')]),
        fields: shown([
          text('display_name', texts.displayNameHint),
          text('user_name', texts.userNameHint),
          text('title', texts.titleHint),
          text('gender'),
          text('dob'),
        ]),
        choices: shown([
          field('lang', {
            kind: 'select',
            groups: languageChoices(page.lang, value.lang, texts.anyLanguage, profile.lang !== null),
          }),
          field('tmz', { kind: 'select', groups: zoneChoices(value.tmz, texts) }),
        ]),
        phoneForm: { formToken: data.forms.phone, problem: phoneProblems.top },
        phone: data.isShown('phone') && {
          name: 'phone',
          label: texts.number,
          value: refused?.phone ?? profile.phone,
          problem: phoneProblems.fields.phone,
          hint: texts.phoneHint,
          hidesHint: true,
          type: 'tel',
          maxlength: 32,
          autocomplete: 'tel',
        },
        phoneSignsIn: data.phoneSignsIn,
      },
    },
    page,
  )
}

/** The form lacks the fields that the installation does not use. */
export const noFields = { last_name: '', display_name: '', title: '', gender: '', dob: '', tmz: '' }

const formOf = ({ user, lang }: AccountProfile): ProfileForm => ({
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
