export interface Mail {
  /**
   * Sends an email. `key` becomes the local part of the Message-ID.
   * @throws MailRejectedError if the mail system permanently rejects the email; MailSendError if it is unreachable or
   * rejects the email temporarily
   */
  send(email: Email): Promise<void>
}

export interface Email {
  /** Identifies the email, so that the receiver can recognise a repetition. */
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments?: readonly Attachment[]
  /** Receives the reply of a mail server that accepted the e-mail, without links and tokens. */
  readonly onAccepted?: (reply: string) => void
}

export interface Attachment {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

export class MailSendError extends Error {
  override readonly name = 'MailSendError'
}

/** Rejection that a repetition of the email would cause too. */
export class MailRejectedError extends MailSendError {
  /** The mail server's sentence, without links and tokens. */
  readonly reply: string

  constructor(reply: string, options?: ErrorOptions) {
    super(reply, options)
    this.reply = reply
  }
}

export interface MailDiagnosis {
  /** Connects, starts TLS if required, and logs in. Throws only `MailError`. */
  checkLogin(signal: AbortSignal): Promise<void>
}

export class MailError extends Error {
  override readonly name = 'MailError'
  readonly step: 'connection' | 'tls' | 'login'

  constructor(step: MailError['step'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.step = step
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for the content or a quoted attribute of an e-mail's HTML. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
