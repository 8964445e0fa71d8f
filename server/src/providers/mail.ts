/** The calls that the portal makes on a mail system. */
export interface Mail {
  /**
   * Sends the email; resolves once the mail system has accepted it. `key` becomes the local part of the Message-ID.
   * @throws MailSendError if the mail system is unreachable or rejects the email
   */
  send(email: Email): Promise<void>
}

export interface Email {
  /** Identifies the email, so that a receiver can recognise a repeat. */
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments?: readonly Attachment[]
}

interface Attachment {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

/** The mail system is unreachable or rejected an email. The message is the mail system's or the connection's. */
export class MailSendError extends Error {
  override readonly name = 'MailSendError'
}

/** Checks the connection and the login to a mail system, without sending an email. */
export interface MailDiagnosis {
  /** Connects, starts TLS if required, and logs in. Throws only `MailError`. */
  checkLogin(signal: AbortSignal): Promise<void>
}

/** The failed step; the message is the mail system's or the connection's. */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly step: 'connection' | 'tls' | 'login'

  constructor(step: MailError['step'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.step = step
  }
}
