import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import { REFUNDS_DELAYED, type Razorpay } from './account.ts'
import { merchant } from './merchant.ts'
import { scheduleAnswer, authorise, beginPayment, refund, applyDueAnswers, settleRefund } from './bank.ts'
import { newId } from './ids.ts'
import type { ReconLine } from './records.ts'
import { indianDay, settleDue } from './settlements.ts'
import { sign } from './webhooks.ts'

const payShape = z.strictObject({
  order_id: z.string(),
  answer: z.enum(['success', 'failure', 'authorise']).nullable().default('success'),
  afterSeconds: z.number().min(0).default(0),
  /** Amount that differs from the order's, to simulate a faulty gateway. */
  amount: z.int().min(1).optional(),
  currency: z.string().length(3).optional(),
  /** True if the order is paid although the amount differs, as with a customer fee or an offer. */
  settles: z.boolean().default(false),
})
const refundShape = z.strictObject({ amount: z.int().min(1).optional() })
const webhookShape = z.strictObject({
  url: z.union([z.literal(''), z.url()]),
  active: z.boolean().default(true),
  events: z.array(z.string()).optional(),
})
const adjustmentShape = z.strictObject({ amount: z.int(), description: z.string().max(255) })
/** Fields of a line of the settlement report, to correct a known line or to add a late or unknown line. */
const lineShape = z.looseObject({ entity_id: z.string(), settled_at: z.int().optional() })

export function mountPaymentControl(server: FastifyInstance, razorpay: Razorpay): void {
  const { records, database } = razorpay

  server.post('/_webhooks', (request) => {
    const read = parseInput(webhookShape, request.body)
    const { webhooks } = razorpay
    webhooks.url = read.url
    webhooks.active = read.active
    if (read.events !== undefined) webhooks.events = read.events
    return read
  })

  server.post('/_payments', (request, reply) => {
    const read = parseInput(payShape, request.body)
    const { order_id, answer, afterSeconds, amount, currency, settles } = read
    const order = records.order(order_id)
    if (order === undefined) return reply.code(404).send({ error: `There is no order ${order_id}.` })
    const paid = { ...order, amount: amount ?? order.amount, currency: currency ?? order.currency }
    const payment = database.transaction(() => {
      const method = { method: 'card', detail: '1111', email: null, contact: null } as const
      if (settles) records.settleOrder(order_id)
      const started = beginPayment(razorpay, paid, method)
      if (answer === 'authorise') authorise(razorpay, started.id, false)
      else if (answer !== null) scheduleAnswer(razorpay, started, answer, afterSeconds)
      return records.payment(started.id)!
    })
    return {
      payment_id: payment.id,
      order_id,
      signature: sign(merchant.keySecret, `${order_id}|${payment.id}`),
      status: payment.status,
    }
  })

  server.post('/_payments/:id/authorise', (request, reply) => {
    const { id } = request.params as { id: string }
    applyDueAnswers(razorpay)
    if (records.payment(id) === undefined) return reply.code(404).send({ error: `There is no payment ${id}.` })
    database.transaction(() => authorise(razorpay, id))
    return { status: records.payment(id)!.status }
  })

  server.post('/_payments/:id/refund', (request, reply) => {
    const { id } = request.params as { id: string }
    const read = parseInput(refundShape, request.body ?? {})
    applyDueAnswers(razorpay)
    const payment = records.payment(id)
    if (payment === undefined) return reply.code(404).send({ error: `There is no payment ${id}.` })
    const refundable = payment.amount - payment.amount_refunded
    const amount = read.amount ?? refundable
    if (payment.captured !== 1 || amount > refundable)
      return reply.code(409).send({ error: 'The amount is more than can be refunded.' })
    return { id: database.transaction(() => refund(razorpay, payment, amount)).id }
  })

  server.post('/_refunds', (request) => {
    const { wait } = parseInput(z.strictObject({ wait: z.boolean() }), request.body)
    razorpay.settings.write(REFUNDS_DELAYED, wait ? 'yes' : 'no')
    return { wait }
  })

  server.post('/_refunds/:id', (request, reply) => {
    const { id } = request.params as { id: string }
    const { status } = parseInput(z.strictObject({ status: z.enum(['processed', 'failed']) }), request.body)
    const found = records.refund(id)
    if (found?.status !== 'pending') return reply.code(404).send({ error: `No refund ${id} is pending.` })
    return { status: database.transaction(() => settleRefund(razorpay, found, status)).status }
  })

  server.post('/_adjustments', (request) => {
    const input = parseInput(adjustmentShape, request.body)
    const id = newId('adj')
    records.addAdjustment({ id, ...input, created_at: razorpay.clock.now() })
    return { id }
  })

  server.post('/_settlements/lines', (request, reply) => {
    const input = parseInput(lineShape, request.body)
    applyDueAnswers(razorpay)
    return database.transaction(() => {
      settleDue(razorpay)
      const line = { ...records.reconLine(input.entity_id), ...input } as ReconLine
      if (!Number.isInteger(line.settled_at)) return reply.code(409).send({ error: 'A new line needs settled_at.' })
      records.putReconLine(line, indianDay(line.settled_at * 1000))
      return line
    })
  })
}
