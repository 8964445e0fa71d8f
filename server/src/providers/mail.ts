/** The calls that the portal makes on a mail system. */
export interface Mail {
  /**
   * Hands the email over; answers when the mail system has taken it. `key` becomes the Message-ID's local part. Throws
   * `MailNotTaken` where it did not.
   */
  send(email: Email): Promise<void>
}

export interface Email {
  /** The same key for the same email, so that a repeat can be recognised. */
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments?: readonly Attachment[]
}

export interface Attachment {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

/** The mail system is away, or refused an email; the message is its own or the line's. */
export class MailNotTaken extends Error {
  override readonly name = 'MailNotTaken'
}

/** Asks a mail system for a way in, and sends nothing. */
export interface MailDiagnosis {
  /** Connects, encrypts where that is needed, and logs in. Throws `MailError` alone. */
  greet(signal: AbortSignal): Promise<void>
}

/** The step that failed; the message is the mail system's or the line's own. */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly step: 'connection' | 'tls' | 'login'

  constructor(step: MailError['step'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.step = step
  }
}
