/** The spec's rule for an e-mail address: local part, @, a domain, a top level of 2 to 6 letters. */
const EMAIL_PATTERN = /^[A-Za-z0-9._-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,6}$/
export const EMAIL_LENGTH = 254

/** Length first, so that a very long text never meets the pattern. */
export const isEmail = (text: string): boolean => text.length <= EMAIL_LENGTH && EMAIL_PATTERN.test(text)

/** One address, one spelling: addresses are compared and stored in lower case. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

/** What somebody typed or pasted into the Email IDs input, as entries, in order, each once. */
export function splitEmails(typed: string): string[] {
  return [
    ...new Set(
      typed
        .split(/[\s,]+/)
        .filter((entry) => entry !== '')
        .map(normaliseEmail),
    ),
  ]
}
