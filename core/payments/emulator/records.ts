import type { Database } from '@trainyard/platform/emulator/record/database.ts'

export const tables = `
CREATE TABLE IF NOT EXISTS rzp_order (
  id TEXT PRIMARY KEY, amount INTEGER NOT NULL, currency TEXT NOT NULL, receipt TEXT, notes TEXT NOT NULL,
  created_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rzp_order_receipt ON rzp_order (receipt);
CREATE TABLE IF NOT EXISTS rzp_payment (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, order_id TEXT NOT NULL, amount INTEGER NOT NULL,
  currency TEXT NOT NULL, status TEXT NOT NULL, captured INTEGER NOT NULL DEFAULT 0, method TEXT NOT NULL,
  detail TEXT NOT NULL, email TEXT, contact TEXT, error TEXT, amount_refunded INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL, captured_at INTEGER, answer TEXT, answers_at INTEGER);
CREATE INDEX IF NOT EXISTS rzp_payment_order ON rzp_payment (order_id);
CREATE INDEX IF NOT EXISTS rzp_payment_waiting ON rzp_payment (answers_at) WHERE answers_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS rzp_refund (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, payment_id TEXT NOT NULL, amount INTEGER NOT NULL,
  receipt TEXT, notes TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS rzp_refund_payment ON rzp_refund (payment_id);
CREATE TABLE IF NOT EXISTS rzp_settled_order (order_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rzp_refund_key (
  key TEXT PRIMARY KEY, asked TEXT NOT NULL, refund_id TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rzp_adjustment (
  id TEXT PRIMARY KEY, amount INTEGER NOT NULL, description TEXT NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rzp_recon_line (
  entity_id TEXT PRIMARY KEY, day TEXT NOT NULL, settled_at INTEGER NOT NULL, content TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rzp_recon_line_day ON rzp_recon_line (day, settled_at);
`

export interface Order {
  readonly id: string
  /** Paise. */
  readonly amount: number
  readonly currency: string
  readonly receipt: string | null
  readonly notes: string
  readonly created_at: number
}

type PaymentStatus = 'created' | 'failed' | 'authorized' | 'captured' | 'refunded'
export type BankAnswer = 'success' | 'failure'

export interface Payment {
  readonly number: number
  readonly id: string
  readonly order_id: string
  readonly amount: number
  readonly currency: string
  readonly status: PaymentStatus
  /** 1 after the capture, even if refunded. */
  readonly captured: 0 | 1
  readonly method: 'card' | 'upi'
  readonly detail: string
  readonly email: string | null
  readonly contact: string | null
  readonly error: string | null
  readonly amount_refunded: number
  readonly created_at: number
  readonly captured_at: number | null
  /** Decision of the bank and when it is applied, in milliseconds of the emulator's clock. */
  readonly answer: BankAnswer | null
  readonly answers_at: number | null
}

export interface Refund {
  readonly number: number
  readonly id: string
  readonly payment_id: string
  readonly amount: number
  readonly receipt: string | null
  readonly notes: string
  readonly status: 'pending' | 'processed' | 'failed'
  readonly created_at: number
}

/** Correction of the balance by Razorpay. */
export interface Adjustment {
  readonly id: string
  /** Paise; negative if deducted. */
  readonly amount: number
  readonly description: string
  readonly created_at: number
}

/** Line of the settlement recon report, with the names and units of Razorpay's reply. */
export interface ReconLine {
  readonly entity_id: string
  readonly type: string
  readonly debit: number
  readonly credit: number
  readonly amount: number
  readonly fee: number
  readonly tax: number
  readonly settled_at: number
  readonly [field: string]: unknown
}

export class Records {
  readonly #database: Database
  constructor(database: Database) {
    this.#database = database
  }

  order = (id: string): Order | undefined => this.#database.one<Order>('SELECT * FROM rzp_order WHERE id = ?', id)

  orders(receipt: string | undefined, count: number, offset: number): Order[] {
    return this.#database.all<Order>(
      `SELECT * FROM rzp_order WHERE (?1 IS NULL OR receipt = ?1) ORDER BY created_at DESC, id LIMIT ?2 OFFSET ?3`,
      receipt ?? null,
      count,
      offset,
    )
  }

  addOrder({ id, amount, currency, receipt, notes, created_at }: Order): void {
    this.#database.run(
      'INSERT INTO rzp_order (id, amount, currency, receipt, notes, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      amount,
      currency,
      receipt,
      notes,
      created_at,
    )
  }

  payment = (id: string): Payment | undefined =>
    this.#database.one<Payment>('SELECT * FROM rzp_payment WHERE id = ?', id)

  paymentsOf = (order: string): Payment[] =>
    this.#database.all<Payment>('SELECT * FROM rzp_payment WHERE order_id = ? ORDER BY number DESC', order)

  withDueAnswer = (now: number): Payment[] =>
    this.#database.all<Payment>('SELECT * FROM rzp_payment WHERE answers_at <= ? ORDER BY answers_at, number', now)

  allPayments = (): Payment[] => this.#database.all<Payment>('SELECT * FROM rzp_payment ORDER BY number')

  latestPayments = (count: number): Payment[] =>
    this.#database.all<Payment>('SELECT * FROM rzp_payment ORDER BY number DESC LIMIT ?', count)

  addPayment(
    payment: Omit<
      Payment,
      'number' | 'captured' | 'error' | 'amount_refunded' | 'captured_at' | 'answer' | 'answers_at'
    >,
  ): Payment {
    this.#database.run(
      `INSERT INTO rzp_payment (id, order_id, amount, currency, status, method, detail, email, contact, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      payment.id,
      payment.order_id,
      payment.amount,
      payment.currency,
      payment.status,
      payment.method,
      payment.detail,
      payment.email,
      payment.contact,
      payment.created_at,
    )
    return this.payment(payment.id)!
  }

  changePayment(
    id: string,
    change: Partial<
      Pick<Payment, 'status' | 'captured' | 'captured_at' | 'error' | 'amount_refunded' | 'answer' | 'answers_at'>
    >,
  ): Payment {
    const next = { ...this.payment(id)!, ...change }
    this.#database.run(
      `UPDATE rzp_payment SET status = ?, captured = ?, captured_at = ?, error = ?, amount_refunded = ?, answer = ?,
       answers_at = ? WHERE id = ?`,
      next.status,
      next.captured,
      next.captured_at,
      next.error,
      next.amount_refunded,
      next.answer,
      next.answers_at,
      id,
    )
    return next
  }

  refund = (id: string): Refund | undefined => this.#database.one<Refund>('SELECT * FROM rzp_refund WHERE id = ?', id)

  refundsOf = (payment: string): Refund[] =>
    this.#database.all<Refund>('SELECT * FROM rzp_refund WHERE payment_id = ? ORDER BY number DESC', payment)

  /** Marks an order as paid by any captured amount, which a customer fee or an offer can change. */
  settleOrder(id: string): void {
    this.#database.run('INSERT OR IGNORE INTO rzp_settled_order (order_id) VALUES (?)', id)
  }

  isSettled(id: string): boolean {
    return this.#database.one('SELECT 1 AS settled FROM rzp_settled_order WHERE order_id = ?', id) !== undefined
  }

  settleRefund(id: string, status: Refund['status']): Refund {
    this.#database.run('UPDATE rzp_refund SET status = ? WHERE id = ?', status, id)
    return this.refund(id)!
  }

  refundByKey = (key: string): { readonly asked: string; readonly refund_id: string } | undefined =>
    this.#database.one('SELECT asked, refund_id FROM rzp_refund_key WHERE key = ?', key)

  addRefundKey(key: string, fingerprint: string, refund: string): void {
    this.#database.run('INSERT INTO rzp_refund_key (key, asked, refund_id) VALUES (?, ?, ?)', key, fingerprint, refund)
  }

  addRefund({ id, payment_id, amount, receipt, notes, status, created_at }: Omit<Refund, 'number'>): Refund {
    this.#database.run(
      'INSERT INTO rzp_refund (id, payment_id, amount, receipt, notes, status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      payment_id,
      amount,
      receipt,
      notes,
      status,
      created_at,
    )
    return this.refund(id)!
  }

  /** Returns the captured payments, processed refunds and adjustments that no settlement includes. */
  unsettled(): { payments: Payment[]; refunds: Refund[]; adjustments: Adjustment[] } {
    const isOpen = 'NOT EXISTS (SELECT 1 FROM rzp_recon_line l WHERE l.entity_id = t.id)'
    return {
      payments: this.#database.all<Payment>(`SELECT t.* FROM rzp_payment t WHERE t.captured = 1 AND ${isOpen}`),
      refunds: this.#database.all<Refund>(
        `SELECT t.* FROM rzp_refund t JOIN rzp_payment p ON p.id = t.payment_id AND p.captured = 1
         WHERE t.status = 'processed' AND ${isOpen}`,
      ),
      adjustments: this.#database.all<Adjustment>(`SELECT t.* FROM rzp_adjustment t WHERE ${isOpen}`),
    }
  }

  addAdjustment({ id, amount, description, created_at }: Adjustment): void {
    this.#database.run(
      'INSERT INTO rzp_adjustment (id, amount, description, created_at) VALUES (?, ?, ?, ?)',
      id,
      amount,
      description,
      created_at,
    )
  }

  /** @param day YYYY-MM-DD in India */
  putReconLine(line: ReconLine, day: string): void {
    this.#database.run(
      'INSERT OR REPLACE INTO rzp_recon_line (entity_id, day, settled_at, content) VALUES (?, ?, ?, ?)',
      line.entity_id,
      day,
      line.settled_at,
      JSON.stringify(line),
    )
  }

  /** @param days beginning of the days, YYYY-MM or YYYY-MM-DD */
  reconLines(days: string, count: number, offset: number): ReconLine[] {
    return this.#database
      .all<{ content: string }>(
        `SELECT content FROM rzp_recon_line WHERE day >= ?1 AND day <= ?1 || '~'
         ORDER BY settled_at, entity_id LIMIT ?2 OFFSET ?3`,
        days,
        count,
        offset,
      )
      .map(({ content }) => JSON.parse(content) as ReconLine)
  }

  reconLine(entity: string): ReconLine | undefined {
    const found = this.#database.one<{ content: string }>(
      'SELECT content FROM rzp_recon_line WHERE entity_id = ?',
      entity,
    )
    return found && (JSON.parse(found.content) as ReconLine)
  }
}
