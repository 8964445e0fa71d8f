import type { FastifyInstance } from 'fastify'
import type { Razorpay } from '#src/razorpay/account.ts'
import { authorise, refund } from '#src/razorpay/bank.ts'

/** The buttons of the page of payments: a merchant who pays all back, a bank that changes its mind. */
export function mountPaymentButtons(server: FastifyInstance, razorpay: Razorpay): void {
  const { records, book } = razorpay
  server.post('/payments/:id/refund', (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment?.captured === 1 && payment.amount_refunded < payment.amount) {
      book.transaction(() => refund(razorpay, payment, payment.amount - payment.amount_refunded))
    }
    return reply.redirect('/payments', 303)
  })
  server.post('/payments/:id/authorise', (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment !== undefined) book.transaction(() => authorise(razorpay, payment.id))
    return reply.redirect('/payments', 303)
  })
}
