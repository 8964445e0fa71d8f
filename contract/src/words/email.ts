export const EMAIL_LENGTH = 254

/**
 * An address of a mailbox: a dot-atom (RFC 5322, 3.2.3) of at most 64 characters, @, and a domain of at least two
 * labels whose last is no number (RFC 1123, 2.1). Quoted local parts and addresses in brackets are not taken.
 */
const EMAIL_PATTERN =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i

/** Length first, so that a very long text never meets the pattern. */
export const isEmail = (text: string): boolean => text.length <= EMAIL_LENGTH && EMAIL_PATTERN.test(text)

/** One address, one spelling: addresses are compared and stored in lower case. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

/** Returns the entries typed or pasted into the Email IDs input, in order, each once. */
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
