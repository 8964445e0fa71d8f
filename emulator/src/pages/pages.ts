import type { FastifyInstance, FastifyReply } from 'fastify'
import type { EmulatorContext } from '#src/azure/arm/mount.ts'
import type { Mailbox } from '#src/mail/mailbox.ts'
import { html, type Html } from '#src/pages/html.ts'
import type { Tab } from '#src/pages/layout.ts'
import { machineTable } from '#src/pages/machine-table.ts'
import { mailList, mailPage } from '#src/pages/mail-pages.ts'
import { paymentTable } from '#src/pages/payment-table.ts'
import { sendPage } from '#src/pages/send-page.ts'
import type { Razorpay } from '#src/razorpay/account.ts'
import { applyDueAnswers } from '#src/razorpay/bank.ts'

export function mountPages(
  server: FastifyInstance,
  context: EmulatorContext,
  mailbox: Mailbox,
  razorpay: Razorpay,
): void {
  const show = (reply: FastifyReply, title: string, content: Html, current?: Tab) =>
    sendPage(reply, context.clock, title, content, current)

  for (const path of ['/', '/mailbox']) {
    server.get(path, async (_request, reply) => show(reply, 'Mailbox', mailList(await mailbox.all()), 'mailbox'))
  }
  server.get('/mailbox/:number', async (request, reply) => {
    const { number } = request.params as { number: string }
    const mail = await mailbox.find(Number(number))
    if (mail !== undefined) return show(reply, mail.subject, mailPage(mail))
    return show(reply.code(404), 'No such mail', html`<p>There is no mail ${number}.</p>`)
  })
  server.get('/machines', (_request, reply) => {
    context.cloud.operations.settle(context.clock.now())
    const months = [0, 1].map((monthsBack) => monthBefore(new Date(context.clock.now()), monthsBack))
    const bills = html`<p>
      Cost exports in the format of Azure (FOCUS):
      ${months.map((month) => html`<a href="/_costs?month=${month}" download>${month}</a> `)}
    </p>`
    return show(reply, 'Machines', html`${bills}${machineTable(context.cloud)}`, 'machines')
  })
  server.get('/payments', (_request, reply) => {
    applyDueAnswers(razorpay)
    return show(reply, 'Payments', paymentTable(razorpay.records), 'payments')
  })
}

const monthBefore = (now: Date, monthsBack: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBack, 1)).toISOString().slice(0, 7)
