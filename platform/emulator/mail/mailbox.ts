import PostalMime from 'postal-mime'
import type { Database } from '../record/database.ts'
import { iso } from '../clock/clock.ts'

export interface Mail {
  readonly number: number
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly receivedAt: string
  readonly attachments: readonly MailAttachment[]
}

interface MailAttachment {
  readonly name: string
  readonly type: string
  /** null for content other than text. */
  readonly text: string | null
}

interface Row {
  number: number
  sender: string
  recipients: string
  raw: Uint8Array
  received_at: number
}

export class Mailbox {
  readonly #database: Database
  readonly #read = new Map<number, Mail>()

  constructor(database: Database) {
    this.#database = database
    database.applySchema(
      'CREATE TABLE IF NOT EXISTS mail (number INTEGER PRIMARY KEY, sender TEXT NOT NULL, recipients TEXT NOT NULL, raw BLOB NOT NULL, received_at INTEGER NOT NULL)',
    )
  }

  /** The mail is on disk when this returns. */
  store(mail: { sender: string; recipients: readonly string[]; raw: Buffer; receivedAt: number }): void {
    this.#database.run(
      'INSERT INTO mail (sender, recipients, raw, received_at) VALUES (?, ?, ?, ?)',
      mail.sender,
      JSON.stringify(mail.recipients),
      mail.raw,
      mail.receivedAt,
    )
  }

  async all(): Promise<Mail[]> {
    const readCount = this.#read.size
    const rows = this.#database.all<Row>('SELECT * FROM mail WHERE number > ? ORDER BY number', readCount)
    for (const row of rows) this.#read.set(row.number, await parse(row))
    return [...this.#read.values()]
  }

  async find(number: number): Promise<Mail | undefined> {
    await this.all()
    return this.#read.get(number)
  }
}

async function parse(row: Row): Promise<Mail> {
  const parsed = await PostalMime.parse(row.raw)
  return {
    number: row.number,
    from: parsed.from?.address ?? row.sender,
    to: JSON.parse(row.recipients) as string[],
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    messageId: parsed.messageId ?? '',
    headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
    receivedAt: iso(row.received_at),
    attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? '',
      type: mimeType,
      text: mimeType.startsWith('text/') ? Buffer.from(content as ArrayBuffer).toString('utf8') : null,
    })),
  }
}
