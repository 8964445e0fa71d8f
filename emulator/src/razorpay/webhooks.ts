import { createHmac } from 'node:crypto'
import type { Clock } from '#src/clock/clock.ts'
import type { Faults } from '#src/faults/faults.ts'
import { newId } from '#src/razorpay/ids.ts'
import { merchant } from '#src/razorpay/merchant.ts'
import type { Book } from '#src/record/book.ts'
import type { Settings } from '#src/record/settings.ts'

interface Delivery {
  readonly number: number
  readonly event_id: string
  readonly body: string
  readonly attempts: number
}

const usualEvents = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'order.paid',
  'refund.processed',
  'refund.failed',
]

/** Seconds until the next try, by how many there were; after a day there is none. */
const pauses = [5, 15, 60, 300, 900, 3600, 3600 * 3, 3600 * 6, 3600 * 12, 5920]
const day = 86_400_000
const patience = 5_000
const look = 100
const atOnce = 8

/**
 * Events on their way to the merchant: written down with what they tell of, sent at least once and in no order that
 * one could rely on, tried again with growing pauses until the merchant answers 2xx within five seconds.
 */
export class Webhooks {
  readonly #book: Book
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #faults: Faults
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<unknown> = Promise.resolve()
  #busy = false

  constructor(given: { book: Book; settings: Settings; clock: Clock; faults: Faults }) {
    this.#book = given.book
    this.#settings = given.settings
    this.#clock = given.clock
    this.#faults = given.faults
    given.book.prepare(`
      CREATE TABLE IF NOT EXISTS rzp_delivery (
        number INTEGER PRIMARY KEY, event_id TEXT NOT NULL, event TEXT NOT NULL, body TEXT NOT NULL,
        due_at INTEGER, attempts INTEGER NOT NULL DEFAULT 0, delivered_at INTEGER);
      CREATE INDEX IF NOT EXISTS rzp_delivery_due ON rzp_delivery (due_at) WHERE due_at IS NOT NULL;`)
  }

  /** Where events go; empty: nowhere. */
  get url(): string {
    return this.#settings.read('razorpay.webhook') ?? ''
  }
  set url(url: string) {
    this.#settings.write('razorpay.webhook', url)
  }

  /** The events that are sent; at first all that the portal wants. */
  get events(): readonly string[] {
    const chosen = this.#settings.read('razorpay.webhook.events')
    return chosen === undefined ? usualEvents : (JSON.parse(chosen) as string[])
  }
  set events(events: readonly string[]) {
    this.#settings.write('razorpay.webhook.events', JSON.stringify(events))
  }

  get active(): boolean {
    return this.#settings.read('razorpay.webhook.active') !== 'no'
  }
  set active(active: boolean) {
    this.#settings.write('razorpay.webhook.active', active ? 'yes' : 'no')
  }

  /** Notes an event, in the transaction of what it tells of. Faults may lose it, repeat it or hold it back. */
  say(event: string, entities: Readonly<Record<string, object>>): void {
    if (this.url === '' || !this.active || !this.events.includes(event)) return
    const now = this.#clock.now()
    const body = JSON.stringify({
      entity: 'event',
      account_id: merchant.accountId,
      event,
      contains: Object.keys(entities),
      payload: Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }])),
      created_at: Math.floor(now / 1000),
    })
    const fault = this.#faults.strike(`Webhooks_${event}`, event)
    if (fault?.kind === 'loseEvent') return
    const due = now + (fault?.kind === 'delayEvent' ? fault.retryAfter * 1000 : 0)
    const id = newId('evt')
    for (let copy = 0; copy < (fault?.kind === 'repeatEvent' ? 3 : 1); copy += 1) {
      this.#book.run(
        'INSERT INTO rzp_delivery (event_id, event, body, due_at) VALUES (?, ?, ?, ?)',
        id,
        event,
        body,
        due,
      )
    }
  }

  /** Events as they were said, for the truth. */
  all(): unknown[] {
    return this.#book.all(
      'SELECT event_id, event, attempts, delivered_at IS NOT NULL AS delivered FROM rzp_delivery ORDER BY number',
    )
  }

  /** `first` lets happen what is due before each look. */
  start(first: () => void): void {
    this.#timer = setInterval(() => {
      if (this.#busy) return
      first()
      this.#busy = true
      this.#sending = this.#sendDue().finally(() => (this.#busy = false))
    }, look)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
  }

  async #sendDue(): Promise<void> {
    const due = this.#book.all<Delivery>(
      'SELECT number, event_id, body, attempts FROM rzp_delivery WHERE due_at <= ? ORDER BY due_at, number LIMIT ?',
      this.#clock.now(),
      atOnce,
    )
    await Promise.all(due.map((delivery) => this.#send(delivery)))
  }

  async #send({ number, event_id, body, attempts }: Delivery): Promise<void> {
    // Read before: a clock that is stepped while the merchant answers must not put the next try off.
    const now = this.#clock.now()
    const taken = await post(this.url, event_id, body)
    const pause = pauses[attempts]
    const next = taken || pause === undefined ? null : now + pause * 1000
    this.#book.run(
      'UPDATE rzp_delivery SET attempts = attempts + 1, delivered_at = ?, due_at = ? WHERE number = ?',
      taken ? now : null,
      next,
      number,
    )
    if (!taken && pause === undefined) this.#disableIfDeaf(now)
  }

  /** As documented: what has taken nothing for a whole day is sent nothing more until somebody enables it again. */
  #disableIfDeaf(now: number): void {
    const taken = this.#book.one('SELECT 1 AS one FROM rzp_delivery WHERE delivered_at > ? LIMIT 1', now - day)
    if (taken !== undefined) return
    this.active = false
    this.#book.run('UPDATE rzp_delivery SET due_at = NULL WHERE due_at IS NOT NULL')
  }
}

export const signed = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex')

async function post(url: string, eventId: string, body: string): Promise<boolean> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-razorpay-signature': signed(merchant.webhookSecret, body),
        'x-razorpay-event-id': eventId,
      },
      body,
      signal: AbortSignal.timeout(patience),
    })
    await reply.arrayBuffer()
    return reply.ok
  } catch {
    return false
  }
}
