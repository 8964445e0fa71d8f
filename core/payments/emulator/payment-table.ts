import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { html, table, formatInstant, type Html } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'
import type { Razorpay } from './account.ts'
import { applyDueAnswers, authorise, refund } from './bank.ts'
import type { Payment, Records } from './records.ts'

const maxRows = 500
const PAGE = '/payments'

export function mountPaymentPage(emulated: Emulated, razorpay: Razorpay): void {
  const { records, database } = razorpay
  const { server, tabs } = emulated
  tabs.push({ path: PAGE, title: 'Payments' })
  server.get(PAGE, (_request, reply) => {
    applyDueAnswers(razorpay)
    return sendPage(reply, emulated, 'Payments', paymentTable(records), PAGE)
  })
  server.post(`${PAGE}/:id/refund`, (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment?.captured === 1 && payment.amount_refunded < payment.amount) {
      database.transaction(() => refund(razorpay, payment, payment.amount - payment.amount_refunded))
    }
    return reply.redirect(PAGE, 303)
  })
  server.post(`${PAGE}/:id/authorise`, (request, reply) => {
    const payment = records.payment((request.params as { id: string }).id)
    if (payment !== undefined) database.transaction(() => authorise(razorpay, payment.id))
    return reply.redirect(PAGE, 303)
  })
}

function paymentTable(records: Records): Html {
  const payments = records.latestPayments(maxRows)
  if (payments.length === 0) return html`<p class="quiet">No payments have been made yet.</p>`
  return html`<p class="quiet">
      Payments by Razorpay, the newest first${payments.length === maxRows ? `; the first ${maxRows}` : ''}. No money is
      transferred.
    </p>
    ${table(
      ['Payment, order', 'Amount', 'Method', 'State', 'Refunded', 'Created', 'Actions'],
      payments.map((payment) => [
        html`${payment.id}<br /><span class="quiet">${payment.order_id}</span>`,
        money(payment.amount, payment),
        `${payment.method} ${payment.detail}`,
        payment.status,
        payment.amount_refunded === 0 ? '' : money(payment.amount_refunded, payment),
        formatInstant(iso(payment.created_at)),
        action(payment),
      ]),
    )}`
}

function action({ id, status, captured }: Payment): Html {
  const button = (path: string, label: string) =>
    html`<form method="post" action="/payments/${id}/${path}">
      <button aria-label="${label} ${id}">${label}</button>
    </form>`
  if (captured === 1) return status === 'refunded' ? html`` : button('refund', 'Refund')
  return status === 'failed' || status === 'created' ? button('authorise', 'Authorise late') : html``
}

const money = (paise: number, { currency }: Payment): string =>
  new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(paise / 100)
