/** What the portal asks of a mail system. */
export interface Mail {
  /** Hands the letter over; answers when the mail system has taken it. `key` becomes the Message-ID's local part. */
  send(letter: Letter): Promise<void>
}

export interface Letter {
  /** The same key for the same letter, so that a repeat can be recognised. */
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}
