import { createHmac } from 'node:crypto'
import type { Clock } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Faults } from '@trainyard/platform/emulator/faults/faults.ts'
import { newId } from './ids.ts'
import { merchant } from './merchant.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

interface Delivery {
  readonly number: number
  readonly event_id: string
  readonly body: string
  readonly attempts: number
}

const defaultEvents = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'order.paid',
  'refund.processed',
  'refund.failed',
]

/** Seconds until the next attempt. They add up to a day, after which there is no further attempt. */
const retryPauses = [5, 15, 60, 300, 900, 3600, 3600 * 3, 3600 * 6, 3600 * 12, 5920]
const dayMs = 86_400_000
const timeoutMs = 5_000
const pollMs = 100
const batchSize = 8

/** Events are sent at least once, in no guaranteed order, until the merchant answers 2xx within five seconds. */
export class Webhooks {
  readonly #database: Database
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #faults: Faults
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<unknown> = Promise.resolve()
  #busy = false

  constructor(options: { database: Database; settings: Settings; clock: Clock; faults: Faults }) {
    this.#database = options.database
    this.#settings = options.settings
    this.#clock = options.clock
    this.#faults = options.faults
    options.database.applySchema(`
      CREATE TABLE IF NOT EXISTS rzp_delivery (
        number INTEGER PRIMARY KEY, event_id TEXT NOT NULL, event TEXT NOT NULL, body TEXT NOT NULL,
        due_at INTEGER, attempts INTEGER NOT NULL DEFAULT 0, delivered_at INTEGER);
      CREATE INDEX IF NOT EXISTS rzp_delivery_due ON rzp_delivery (due_at) WHERE due_at IS NOT NULL;`)
  }

  get url(): string {
    return this.#settings.read('razorpay.webhook') ?? ''
  }
  set url(url: string) {
    this.#settings.write('razorpay.webhook', url)
  }

  get events(): readonly string[] {
    const chosen = this.#settings.read('razorpay.webhook.events')
    return chosen === undefined ? defaultEvents : (JSON.parse(chosen) as string[])
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

  record(event: string, entities: Readonly<Record<string, object>>): void {
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
    const fault = this.#faults.consume(`Webhooks_${event}`, event)
    if (fault?.kind === 'loseEvent') return
    const due = now + (fault?.kind === 'delayEvent' ? fault.retryAfter * 1000 : 0)
    const id = newId('evt')
    for (let copy = 0; copy < (fault?.kind === 'repeatEvent' ? 3 : 1); copy += 1) {
      this.#database.run(
        'INSERT INTO rzp_delivery (event_id, event, body, due_at) VALUES (?, ?, ?, ?)',
        id,
        event,
        body,
        due,
      )
    }
  }

  all(): unknown[] {
    return this.#database.all(
      'SELECT event_id, event, attempts, delivered_at IS NOT NULL AS delivered FROM rzp_delivery ORDER BY number',
    )
  }

  /** Starts sending. `first` is called before each poll and applies bank answers that are due. */
  start(first: () => void): void {
    this.#timer = setInterval(() => {
      if (this.#busy) return
      first()
      this.#busy = true
      this.#sending = this.#sendDue().finally(() => (this.#busy = false))
    }, pollMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
  }

  async #sendDue(): Promise<void> {
    const due = this.#database.all<Delivery>(
      'SELECT number, event_id, body, attempts FROM rzp_delivery WHERE due_at <= ? ORDER BY due_at, number LIMIT ?',
      this.#clock.now(),
      batchSize,
    )
    await Promise.all(due.map((delivery) => this.#send(delivery)))
  }

  async #send({ number, event_id, body, attempts }: Delivery): Promise<void> {
    // Read the clock before sending, so that a step of the clock during the reply does not delay the next attempt.
    const now = this.#clock.now()
    const accepted = await post(this.url, event_id, body)
    const pause = retryPauses[attempts]
    const next = accepted || pause === undefined ? null : now + pause * 1000
    this.#database.run(
      'UPDATE rzp_delivery SET attempts = attempts + 1, delivered_at = ?, due_at = ? WHERE number = ?',
      accepted ? now : null,
      next,
      number,
    )
    if (!accepted && pause === undefined) this.#disableIfUnresponsive(now)
  }

  /** A webhook that has accepted nothing for a whole day is disabled until it is enabled again, as documented. */
  #disableIfUnresponsive(now: number): void {
    const accepted = this.#database.one('SELECT 1 AS one FROM rzp_delivery WHERE delivered_at > ? LIMIT 1', now - dayMs)
    if (accepted !== undefined) return
    this.active = false
    this.#database.run('UPDATE rzp_delivery SET due_at = NULL WHERE due_at IS NOT NULL')
  }
}

export const sign = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex')

async function post(url: string, eventId: string, body: string): Promise<boolean> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-razorpay-signature': sign(merchant.webhookSecret, body),
        'x-razorpay-event-id': eventId,
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await reply.arrayBuffer()
    return reply.ok
  } catch {
    return false
  }
}
