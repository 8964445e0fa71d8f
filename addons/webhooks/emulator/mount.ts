import { z } from 'zod'
import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import { formFields, registerForms } from '@trainyard/platform/emulator/pages/forms.ts'
import { formatInstant, html, type Html, table } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'
import { type Answer, answers, ReceivedWebhooks } from './received.ts'

const PAGE = '/webhooks'
const maxRows = 200

const labels: Readonly<Record<Answer, string>> = {
  '200': 'Accept: 200',
  '500': 'Fail: 500',
  timeout: 'Do not answer',
  '410': 'Gone: 410, which disables the endpoint',
}

const secretShape = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)
const controlShape = z.strictObject({ secret: secretShape.optional(), answer: z.enum(answers).optional() })

/** Mounts a receiver of the portal's webhooks, the page that lists them, and its control calls. */
export function mountWebhooks(emulated: Emulated): void {
  const { server, database, settings, clock, tabs } = emulated
  const webhooks = new ReceivedWebhooks(database, settings)
  tabs.push({ path: PAGE, title: 'Webhooks' })

  server.get(PAGE, (_request, reply) => sendPage(reply, emulated, 'Webhooks', page(webhooks), PAGE))

  server.get('/_receiver', () => ({ answer: webhooks.answer, received: webhooks.all() }))
  server.post('/_receiver', (request, reply) => {
    const { secret, answer } = parseInput(controlShape, request.body)
    if (secret !== undefined) webhooks.addSecret(secret)
    if (answer !== undefined) webhooks.answer = answer
    return reply.send({})
  })

  registerForms(server, (scope) => {
    scope.post(`${PAGE}/answer`, (request, reply) => {
      const chosen = answers.find((answer) => answer === formFields(request).get('answer'))
      if (chosen !== undefined) webhooks.answer = chosen
      return reply.redirect(PAGE, 303)
    })
    scope.post(`${PAGE}/secret`, (request, reply) => {
      const parsedSecret = secretShape.safeParse(formFields(request).get('secret')?.trim())
      if (parsedSecret.success) webhooks.addSecret(parsedSecret.data)
      return reply.redirect(PAGE, 303)
    })
  })

  void server.register(async (scope) => {
    // The signature covers the bytes of the body, so it must not be parsed before.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    scope.post(`${PAGE}/receive`, (request, reply) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      )
      const isValid = webhooks.store(headers, typeof request.body === 'string' ? request.body : '', clock.now())
      if (!isValid) return reply.code(400).send({ error: 'The signature is not valid.' })
      if (webhooks.answer === 'timeout') return void reply.hijack()
      return reply.code(Number(webhooks.answer)).send({ received: true })
    })
  })
}

function page(webhooks: ReceivedWebhooks): Html {
  const all = webhooks.all()
  const seen = new Set<string>()
  const rows = all.map((delivery) => {
    const isRepeat = seen.has(delivery.message_id)
    seen.add(delivery.message_id)
    return { ...delivery, isRepeat }
  })
  return html`<p>
      A receiver of the portal's webhooks. Its address is <code>/webhooks/receive</code> on this host; each delivery is
      verified with the library <code>standardwebhooks</code>.
    </p>
    <form method="post" action="${PAGE}/answer">
      <p>
        <label
          >Reply to deliveries
          <select name="answer">
            ${answers.map((answer) =>
              answer === webhooks.answer
                ? html`<option value="${answer}" selected>${labels[answer]}</option>`
                : html`<option value="${answer}">${labels[answer]}</option>`,
            )}
          </select></label
        >
        <button>Save</button>
      </p>
    </form>
    <form method="post" action="${PAGE}/secret">
      <p>
        <label
          >Signing secret of another endpoint <input name="secret" placeholder="whsec_..." autocomplete="off"
        /></label>
        <button>Add</button>
      </p>
    </form>
    ${rows.length === 0 ? html`<p class="quiet">No delivery has been received yet.</p>` : deliveries(rows)}`
}

const deliveries = (rows: readonly (ReturnType<ReceivedWebhooks['all']>[number] & { isRepeat: boolean })[]): Html =>
  html`<p class="quiet">${rows.length} deliveries, the newest first.</p>
    ${table(
      ['Received', 'Event', 'Signature', 'Reply', 'webhook-id', 'Body'],
      rows
        .toReversed()
        .slice(0, maxRows)
        .map(({ received_at, type, rejected, answer, message_id, isRepeat, body }) => [
          formatInstant(iso(wholeSecond(received_at))),
          type,
          rejected === null ? 'valid' : html`<strong>${rejected}</strong>`,
          answer === 'timeout' ? 'none' : answer,
          isRepeat ? html`${message_id} (repeat)` : message_id,
          html`<details>
            <summary>Show</summary>
            <pre>${body}</pre>
          </details>`,
        ]),
    )}`
