/** Token of an e-mailed link: the ID of a row and a code of 32 bytes in base64url. */
const TOKEN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.[\w-]{43}/
const WHOLE_TOKEN = new RegExp(`^${TOKEN.source}$`)
/** Characters that mail programs insert where they break a line. */
const BREAKS = /[\s\u00ad\u200b-\u200d\u2060\ufeff]/g

export const MAILED_LINK = {
  invitationIncomplete:
    'This link is incomplete. Open the whole link in your e-mail again. If this message returns, request a new link with Forgot Password, or ask your administrator for a new invitation.',
  invitationNotValid:
    'This link is no longer valid. It was used or replaced, or it has expired. If you have set your password, log in. Otherwise, request a new link with Forgot Password, or ask your administrator for a new invitation.',
  registrationIncomplete:
    'This link is incomplete. Open the whole link in your e-mail again, or request a new e-mail on the page of the registration link.',
  registrationNotValid:
    'This link is no longer valid. It was used, or it has expired. If you have created your account, log in. Otherwise, request a new e-mail on the page of the registration link.',
} as const

export const isMailedToken = (text: string): boolean => WHOLE_TOKEN.test(text)

/**
 * Returns the token in the fragment of an e-mailed link, without text that a mail program added to the link. Null if
 * the link is incomplete.
 */
export const readMailedToken = (fragment: string): string | null =>
  TOKEN.exec(decodeAddress(fragment).replaceAll(BREAKS, ''))?.[0] ?? null

/** Decodes a part of an address. Returns the part itself if its encoding is damaged. */
export function decodeAddress(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
