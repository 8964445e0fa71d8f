/** The name a lab user signs in with at a provider: letters, digits, dot, underscore, hyphen. */
export const LAB_USERNAME_LENGTH = 64
export const LAB_USERNAME_PATTERN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
