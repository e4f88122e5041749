/** A form field, rendered by `partials/field.eta`. */
export interface Field extends InputAttributes {
  name: string
  /** The id of the input. The default is `name`. */
  id?: string
  label: string
  /** A word in parentheses after the label, such as "optional". */
  note?: string | undefined
  /** `checkboxes`: one for each of the `options`. The default is `input`. */
  kind?: 'input' | 'textarea' | 'select' | 'checkbox' | 'checkboxes'
  value?: string | undefined
  /** For `select`. */
  choices?: readonly Choice[]
  /** For `select`, instead of `choices`. */
  groups?: readonly ChoiceGroup[]
  /** For `checkbox`. */
  isOn?: boolean
  options?: readonly CheckboxOption[]
  hint?: string | undefined
  /** The error message. */
  problem?: string | undefined
  /** Whether the error message replaces the hint. */
  hidesHint?: boolean
  /** Whether the error message of the form is about this field. */
  isRejected?: boolean | undefined
  /** Whether the error message of the form may be about this field. */
  mayBeRejected?: boolean
  /** A link next to the input. */
  aside?: { path: string; label: string }
  /** For a new password: the button that shows it, and the strength meter. */
  meter?: PasswordMeter
}

/** Attributes that the input has if they are defined. Inputs of type `email` also turn off corrections. */
interface InputAttributes {
  type?: string
  /** For files. */
  accept?: string
  class?: string
  autocomplete?: string | undefined
  autocapitalize?: 'none'
  spellcheck?: 'false'
  inputmode?: 'numeric'
  placeholder?: string | undefined
  lang?: string | undefined
  min?: string
  minlength?: number
  maxlength?: number | undefined
  rows?: number
  required?: boolean | undefined
  readonly?: boolean
  /** The scripts do not keep the entered value. */
  isSecret?: boolean
}

export interface Choice {
  value: string
  label: string
}

export interface ChoiceGroup {
  /** The group label. Undefined for ungrouped choices. */
  label?: string
  choices: readonly Choice[]
}

export interface CheckboxOption {
  option: string
  /** The identifier of the option, if `option` is its name. */
  code?: string
  hint?: string | undefined
  name: string
  isOn: boolean
}

interface PasswordMeter {
  reveal: { show: string; hide: string; showPassword: string; hidePassword: string }
  strength: { short: string; weak: string; fair: string; strong: string }
  minPasswordLength: number
  /** Words that make a password weak, one a line. */
  words: string
  /** The messages of the password rules, as JSON. */
  problems: string
}
