import { Webhook } from 'standardwebhooks'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

/** Replies of the receiver: it accepts, fails, does not answer, or states that it no longer exists. */
export const answers = ['200', '500', 'timeout', '410'] as const
export type Answer = (typeof answers)[number]

/** Secret of the endpoint in the demo data. */
const demoSecret = `whsec_${Buffer.from('trainyard demo receiver, no secret').toString('base64')}`

/** Older deliveries are deleted. */
const stored = 2_000

export interface Received {
  readonly number: number
  readonly received_at: number
  readonly message_id: string
  readonly type: string
  /** Reason why the signature was rejected; null if the signature is valid. */
  readonly rejected: string | null
  readonly answer: string
  readonly body: string
}

/** Deliveries to the webhook receiver, each verified with the official library when it arrived. */
export class ReceivedWebhooks {
  readonly #database: Database
  readonly #settings: Settings

  constructor(database: Database, settings: Settings) {
    this.#database = database
    this.#settings = settings
    database.applySchema(`
      CREATE TABLE IF NOT EXISTS received_webhook (number INTEGER PRIMARY KEY, received_at INTEGER NOT NULL,
        message_id TEXT NOT NULL, type TEXT NOT NULL, rejected TEXT, answer TEXT NOT NULL, body TEXT NOT NULL)`)
  }

  get answer(): Answer {
    return answers.find((answer) => answer === this.#settings.read('webhooks.answer')) ?? '200'
  }
  set answer(answer: Answer) {
    this.#settings.write('webhooks.answer', answer)
  }

  get secrets(): readonly string[] {
    return JSON.parse(this.#settings.read('webhooks.secrets') ?? JSON.stringify([demoSecret])) as string[]
  }
  addSecret(secret: string): void {
    this.#settings.write('webhooks.secrets', JSON.stringify([...new Set([...this.secrets, secret])]))
  }

  /** Verifies and stores a delivery. Returns true if its signature is valid. */
  store(headers: Readonly<Record<string, string>>, body: string, receivedAt: number): boolean {
    const rejected = this.#rejection(headers, body)
    this.#database.run(
      'INSERT INTO received_webhook (received_at, message_id, type, rejected, answer, body) VALUES (?, ?, ?, ?, ?, ?)',
      receivedAt,
      headers['webhook-id'] ?? '',
      typeOf(body),
      rejected,
      rejected === null ? this.answer : '400',
      body,
    )
    this.#database.run(
      'DELETE FROM received_webhook WHERE number <= (SELECT max(number) FROM received_webhook) - ?',
      stored,
    )
    return rejected === null
  }

  all(): Received[] {
    return this.#database.all<Received>('SELECT * FROM received_webhook ORDER BY number')
  }

  #rejection(headers: Readonly<Record<string, string>>, body: string): string | null {
    let reason = 'No secret is known.'
    for (const secret of this.secrets) {
      try {
        new Webhook(secret).verify(body, headers)
        return null
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
    }
    return reason
  }
}

function typeOf(body: string): string {
  try {
    return String((JSON.parse(body) as { type?: unknown }).type)
  } catch {
    return ''
  }
}
