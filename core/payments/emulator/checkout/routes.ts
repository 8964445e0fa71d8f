import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Razorpay } from '../account.ts'
import { merchant } from '../merchant.ts'
import { scheduleAnswer, beginPayment, applyDueAnswers } from '../bank.ts'
import { paymentEntity } from '../entities.ts'
import type { Payment } from '../records.ts'
import { noSuchId, notAuthenticated, RazorpayRefusal, invalidField } from '../refusal.ts'
import { sign } from '../webhooks.ts'
import { checkoutPage } from './page.ts'

const script = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const bankSeconds = 2

const methods = z.discriminatedUnion('method', [
  z.object({ method: z.literal('card'), number: z.string(), expiry: z.string(), cvv: z.string() }),
  z.object({ method: z.literal('upi'), vpa: z.string() }),
])
const payer = z.object({
  key_id: z.string(),
  order_id: z.string(),
  email: z.string().max(254).optional(),
  contact: z.string().max(20).optional(),
})
const bankShape = z.object({ answer: z.enum(['success', 'failure', 'away']) })

/** Mounts the checkout page and its calls. Its only credential is the merchant's public key. */
export function mountCheckout(server: FastifyInstance, razorpay: Razorpay): void {
  const { records, database } = razorpay
  const scripts = { '/v1/checkout.js': script('checkout.js'), '/v1/checkout/page.js': script('page.js') }
  for (const [path, text] of Object.entries(scripts)) {
    server.get(path, (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(text),
    )
  }

  server.get('/v1/checkout/embedded', (request, reply) => {
    const query = request.query as Record<string, string | undefined>
    return withRefusals(reply, () => {
      if (query['key'] !== merchant.keyId) throw notAuthenticated()
      const order = records.order(query['order_id'] ?? '')
      if (order === undefined) throw noSuchId()
      const nonce = randomBytes(16).toString('base64')
      const shop = {
        key: merchant.keyId,
        name: query['name'] ?? '',
        description: query['description'] ?? '',
        email: query['prefill[email]'] ?? '',
        contact: query['prefill[contact]'] ?? '',
        customer: query['prefill[name]'] ?? '',
        color: query['color'] ?? '',
      }
      return reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          `default-src 'none'; script-src 'self'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'`,
        )
        .header('referrer-policy', 'no-referrer')
        .send(checkoutPage(order, shop, nonce))
    })
  })

  server.post('/v1/checkout/payments', (request, reply) =>
    withRefusals(reply, () => {
      const payerDetails = payer.safeParse(request.body)
      if (!payerDetails.success || payerDetails.data.key_id !== merchant.keyId) throw notAuthenticated()
      const order = records.order(payerDetails.data.order_id)
      if (order === undefined) throw noSuchId()
      applyDueAnswers(razorpay)
      if (records.paymentsOf(order.id).some(({ captured }) => captured === 1)) {
        throw new RazorpayRefusal(400, 'Payment already done for this order.')
      }
      const method = {
        ...payingBy(request.body),
        email: payerDetails.data.email || null,
        contact: payerDetails.data.contact || null,
      }
      return { payment_id: database.transaction(() => beginPayment(razorpay, order, method)).id }
    }),
  )

  server.post('/v1/checkout/payments/:id/bank', (request, reply) =>
    withRefusals(reply, () => {
      const payment = paymentOf(request.params)
      const read = bankShape.safeParse(request.body)
      if (!read.success) throw invalidField('answer', 'The answer field is invalid.')
      const failing = read.data.answer === 'failure' || payment.detail === 'failure@razorpay'
      const seconds = read.data.answer === 'away' ? 0 : bankSeconds
      database.transaction(() => scheduleAnswer(razorpay, payment, failing ? 'failure' : 'success', seconds))
      return {}
    }),
  )

  server.get('/v1/checkout/payments/:id', (request, reply) =>
    withRefusals(reply, () => {
      applyDueAnswers(razorpay)
      return paymentResult(paymentOf(request.params))
    }),
  )

  function paymentOf(params: unknown): Payment {
    const payment = records.payment((params as { id: string }).id)
    if (payment === undefined) throw noSuchId()
    return payment
  }
}

function paymentResult(payment: Payment): object {
  const { id, order_id, captured, status } = payment
  if (captured === 1) {
    const signature = sign(merchant.keySecret, `${order_id}|${id}`)
    return {
      status: 'captured',
      response: { razorpay_payment_id: id, razorpay_order_id: order_id, razorpay_signature: signature },
    }
  }
  if (status !== 'failed') return { status: 'created' }
  const entity = paymentEntity(payment)
  return {
    status,
    error: {
      code: entity.error_code,
      description: entity.error_description,
      source: entity.error_source,
      step: entity.error_step,
      reason: entity.error_reason,
      metadata: { payment_id: id, order_id },
    },
  }
}

function payingBy(body: unknown): { method: 'card' | 'upi'; detail: string } {
  const read = methods.safeParse(body)
  if (!read.success) throw invalidField('method', 'The method field is invalid.')
  if (read.data.method === 'upi') {
    if (!/^[\w.-]{2,}@[a-z]{2,}$/i.test(read.data.vpa))
      throw invalidField('vpa', 'Invalid VPA. Please enter a valid Virtual Payment Address')
    return { method: 'upi', detail: read.data.vpa }
  }
  const number = read.data.number.replaceAll(/\D/g, '')
  if (!isCard(number)) throw invalidField('number', 'Your card number is invalid. Please check it and try again.')
  if (!/^(0[1-9]|1[0-2])\s*\/\s*\d{2}$/.test(read.data.expiry))
    throw invalidField('expiry', 'The expiry date is invalid.')
  if (!/^\d{3,4}$/.test(read.data.cvv)) throw invalidField('cvv', 'The CVV is invalid.')
  return { method: 'card', detail: number.slice(-4) }
}

function isCard(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = [...number].toReversed().reduce((total, figure, index) => {
    const value = Number(figure) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function withRefusals(reply: FastifyReply, handle: () => object): object {
  try {
    return handle()
  } catch (error) {
    if (!(error instanceof RazorpayRefusal)) throw error
    return reply.code(error.status).send(error.body)
  }
}
