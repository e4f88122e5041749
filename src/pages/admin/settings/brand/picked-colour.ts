import type { TypedSettings } from '../chapter/changes.ts'

/** The colour field has no empty value, so it has this one while the default applies. */
export const shownColour = (text: string, byDefault: string): string =>
  /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : byDefault

/** Without a script, the colour field and the text field can differ. The colour field counts if its colour changed. */
export function withPickedColour({ accent_picked: picked, accent_before: before, ...typed }: TypedSettings) {
  return picked === undefined || picked === before ? typed : { ...typed, APP_ACCENT: picked }
}
