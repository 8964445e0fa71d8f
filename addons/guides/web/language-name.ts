/** Returns the name of a language in a language, by default its own. */
export function nameOf(language: string, within = language): string {
  try {
    return new Intl.DisplayNames([within], { type: 'language' }).of(language) ?? language
  } catch {
    // Not a language for this browser.
    return language
  }
}
