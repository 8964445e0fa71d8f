/** The fields of nodemailer's errors that describe the server's reply. */
export interface SmtpError extends Error {
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

const REPLY_LENGTH = 300

/** Replies about the portal's login or its order of commands, which the operator corrects (RFC 4954, 6; RFC 5321, 4.2.3). */
const ABOUT_THE_LOGIN: ReadonlySet<number> = new Set([503, 530, 534, 535, 538])

/**
 * Returns the server's sentence if a repetition of the email would fail too, otherwise null. This is the case for a 5xx
 * reply to the recipient or the content (RFC 5321, 4.2.1). A rejected login or sender concerns every email, so these
 * wait for the operator.
 */
export function permanentReply({ command, response = '', responseCode = 0 }: SmtpError): string | null {
  if (command !== 'RCPT TO' && command !== 'DATA') return null
  if (responseCode < 500 || responseCode > 599 || ABOUT_THE_LOGIN.has(responseCode)) return null
  return withoutSecrets(response) || String(responseCode)
}

/**
 * Returns the text in one line, without links and long tokens. A spam filter may quote the link of an invitation, which
 * only its recipient may see.
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
