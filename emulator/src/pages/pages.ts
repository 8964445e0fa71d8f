import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Front } from '#src/azure/arm/mount.ts'
import type { Mailbox } from '#src/mail/mailbox.ts'
import { html, type Html } from '#src/pages/html.ts'
import type { Tab } from '#src/pages/layout.ts'
import { machineTable } from '#src/pages/machine-table.ts'
import { mailList, mailShown } from '#src/pages/mail-pages.ts'
import { paymentTable } from '#src/pages/payment-table.ts'
import { showPage } from '#src/pages/show-page.ts'
import type { Razorpay } from '#src/razorpay/account.ts'
import { settle } from '#src/razorpay/bank.ts'

/** Pages for people: the mails that came in, the machines that stand, and what was paid. */
export function mountPages(server: FastifyInstance, front: Front, mailbox: Mailbox, razorpay: Razorpay): void {
  const show = (reply: FastifyReply, title: string, content: Html, current?: Tab) =>
    showPage(reply, front.clock, title, content, current)

  for (const path of ['/', '/mailbox']) {
    server.get(path, async (_request, reply) => show(reply, 'Mailbox', mailList(await mailbox.all()), 'mailbox'))
  }
  server.get('/mailbox/:number', async (request, reply) => {
    const { number } = request.params as { number: string }
    const mail = await mailbox.find(Number(number))
    if (mail !== undefined) return show(reply, mail.subject, mailShown(mail))
    return show(reply.code(404), 'No such mail', html`<p>There is no mail ${number}.</p>`)
  })
  server.get('/machines', (_request, reply) => {
    front.cloud.operations.settle(front.clock.now())
    const months = [0, 1].map((back) => monthBefore(new Date(front.clock.now()), back))
    const bills = html`<p>
      Cost exports (FOCUS), as Azure would write them:
      ${months.map((month) => html`<a href="/_costs?month=${month}" download>${month}</a> `)}
    </p>`
    return show(reply, 'Machines', html`${bills}${machineTable(front.cloud)}`, 'machines')
  })
  server.get('/payments', (_request, reply) => {
    settle(razorpay)
    return show(reply, 'Payments', paymentTable(razorpay.records), 'payments')
  })
}

/** YYYY-MM, of UTC. */
const monthBefore = (now: Date, back: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7)
