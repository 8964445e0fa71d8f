export const EMAIL_LENGTH = 254

/** A dot-atom (RFC 5322, 3.2.3) @ a domain whose last label does not start with a digit (RFC 1123, 2.1). */
const EMAIL_PATTERN =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i

/** The length is checked first, so that the pattern never runs on a very long text. */
export const isEmail = (text: string): boolean => text.length <= EMAIL_LENGTH && EMAIL_PATTERN.test(text)

/** Returns the canonical spelling of an address. Addresses are compared and stored in lower case. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

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
