const tag = /^[a-z]{2,3}(-([a-z]{2}|[a-z]{4}|\d{3}))?$/i

/** The name of a language, such as "Spanish" for `es`. Other texts are returned unchanged. */
export function languageName(lang: string, language: string): string {
  if (!tag.test(language)) return language
  const name = new Intl.DisplayNames([lang], { type: 'language' }).of(language) ?? language
  return name.replace(/^./u, (letter) => letter.toLocaleUpperCase(lang))
}
