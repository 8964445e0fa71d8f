/** What the portal asks of a mail system. */
export interface Mail {
  /** Hands the email over; answers when the mail system has taken it. `key` becomes the Message-ID's local part. */
  send(email: Email): Promise<void>
}

export interface Email {
  /** The same key for the same email, so that a repeat can be recognised. */
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}
