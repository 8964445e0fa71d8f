/** Fields of nodemailer's errors that describe the reply of the mail server. */
export interface SmtpError extends Error {
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

const REPLY_LENGTH = 300

/**
 * Reply codes for a failed login or a wrong command sequence. The operator must fix the cause (RFC 4954, 6; RFC 5321,
 * 4.2.3).
 */
const ABOUT_THE_LOGIN: ReadonlySet<number> = new Set([503, 530, 534, 535, 538])

/**
 * Returns the text of the mail server's reply if sending the email again would also fail, otherwise null. This is the
 * case for a 5xx reply to the recipient or the content (RFC 5321, 4.2.1). A rejected login or sender affects every
 * email. Such emails wait until the operator fixes the settings.
 */
export function permanentReply({ command, response = '', responseCode = 0 }: SmtpError): string | null {
  if (command !== 'RCPT TO' && command !== 'DATA') return null
  if (responseCode < 500 || responseCode > 599 || ABOUT_THE_LOGIN.has(responseCode)) return null
  return withoutSecrets(response) || String(responseCode)
}

/**
 * Returns the text in one line, without links and long tokens. A spam filter may quote the link of an invitation, and
 * only the recipient of the email may see that link.
 */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .replaceAll(/\S*(?::\/\/|token=)\S*/gi, '(link)')
    .replaceAll(/[\w.%=-]{40,}/g, '(removed)')
    .trim()
    .slice(0, REPLY_LENGTH)
    .trim()
}
