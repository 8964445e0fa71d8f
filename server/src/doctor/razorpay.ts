import { randomBytes } from 'node:crypto'
import type { PaymentsDiagnosis, SeenWebhook } from '../providers/payments.ts'
import type { Proof } from '../secrets/proof.ts'
import { type Check, green, greenUnless, notUsed, red, type ToMend } from './check.ts'
import { proofAt } from './public-url.ts'

export interface RazorpayOptions {
  /** null: nobody can pay online. */
  readonly diagnosis: PaymentsDiagnosis | null
  readonly keyId: string
  /** The emulator tells the portal of events at an address of its own. */
  readonly emulated: boolean
  readonly publicUrl: string
  readonly prove: (nonce: string) => Proof
  readonly reached: Check
  readonly needs: readonly Check[]
}

/** Without them a payment is credited late: what was paid is looked up after a while. */
const EVENTS = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'order.paid',
  'refund.processed',
  'refund.failed',
]

/** Online payment: the key, the address that events go to, and the secret that they are signed with. */
export function razorpayChecks({
  diagnosis,
  keyId,
  emulated,
  publicUrl,
  prove,
  reached,
  needs,
}: RazorpayOptions): Check[] {
  const group = 'Razorpay'
  if (diagnosis === null) {
    const none = async () => notUsed('RAZORPAY_KEY_ID is not set: nobody can pay online.')
    return [{ group, name: 'key', otherwise: '', run: none }]
  }
  const address = `${publicUrl}/api/payments/webhook`
  const key: Check = {
    group,
    name: 'key',
    needs,
    otherwise:
      'Look at RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET: the dashboard makes new ones (Account & Settings, API Keys).',
    async run(signal) {
      const { test } = await diagnosis.key(signal)
      return green(`${keyId} is taken${test ? '; it is for tests: no money moves' : ''}.`)
    },
  }
  const advice = `In Razorpay's dashboard (Account & Settings, Webhooks) let events go to ${address}.`
  return [
    key,
    {
      group,
      name: 'webhook',
      needs: [key],
      otherwise: advice,
      async run(signal) {
        const found = await diagnosis.webhooks(signal)
        if (found === null) return green(`Razorpay does not list its webhooks to this key. ${advice}`)
        const ours = emulated ? found[0] : found.find(({ url }) => sameAddress(url, address))
        if (ours === undefined) return red(`Razorpay sends no events to ${address}.`, advice)
        return greenUnless(problemsOf(ours), `Events go to ${ours.url}.`)
      },
    },
    {
      group,
      name: 'webhook address',
      needs: [reached],
      otherwise: `Let the reverse proxy pass POST requests at ${address} on to the portal.`,
      async run(signal) {
        // No JSON: it goes the whole way and is refused unread. An unsigned event would be written down as a refusal.
        const headers = { 'content-type': 'text/plain' }
        const reply = await fetch(address, { method: 'POST', headers, body: 'A question.', signal, redirect: 'error' })
        const text = await reply.text()
        return reply.status === 400 && text.includes('"requestId"')
          ? green(`Requests to ${address} come through to the portal.`)
          : red(
              `${address} answered ${reply.status}, and not as the portal does.`,
              'Let the reverse proxy pass POST requests there on as they are, without a login of its own.',
            )
      },
    },
    {
      group,
      name: 'webhook secret',
      needs: [reached],
      otherwise: 'Start the portal anew with these settings.',
      async run(signal) {
        const nonce = randomBytes(24).toString('base64url')
        const { proof } = await proofAt(publicUrl, nonce, signal)
        return proof?.webhook === prove(nonce).webhook
          ? green('The running portal has this one; that Razorpay has it too shows with its first event.')
          : red(
              'The running portal has another RAZORPAY_WEBHOOK_SECRET than these settings.',
              'Give all processes the same one, restart them, and set it in the dashboard.',
            )
      },
    },
  ]
}

function problemsOf({ url, active, hasSecret, events }: SeenWebhook): ToMend[] {
  const missing = EVENTS.filter((event) => !events.includes(event))
  const where = "In Razorpay's dashboard (Account & Settings, Webhooks)"
  return [
    ...(active
      ? []
      : [
          {
            what: `The webhook to ${url} is switched off, as after a day of failures.`,
            todo: `${where} switch it on.`,
          },
        ]),
    ...(hasSecret ? [] : [{ what: 'The webhook has no secret.', todo: `${where} set RAZORPAY_WEBHOOK_SECRET.` }]),
    ...(missing.length === 0
      ? []
      : [{ what: `It is not told of ${missing.join(', ')}.`, todo: `${where} choose these events, too.` }]),
  ]
}

const sameAddress = (one: string, other: string): boolean => one.replace(/\/$/, '') === other
