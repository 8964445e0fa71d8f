import type { FastifyInstance } from 'fastify'
import type { Razorpay } from '#src/razorpay/account.ts'
import { authorise, refund } from '#src/razorpay/bank.ts'

/** Mounts the buttons of the payments page: full refund by the merchant, late authorisation by the bank. */
export function mountPaymentButtons(server: FastifyInstance, razorpay: Razorpay): void {
  const { records, database } = razorpay
  server.post('/payments/:id/refund', (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment?.captured === 1 && payment.amount_refunded < payment.amount) {
      database.transaction(() => refund(razorpay, payment, payment.amount - payment.amount_refunded))
    }
    return reply.redirect('/payments', 303)
  })
  server.post('/payments/:id/authorise', (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment !== undefined) database.transaction(() => authorise(razorpay, payment.id))
    return reply.redirect('/payments', 303)
  })
}
