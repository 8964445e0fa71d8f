import { randomBytes } from 'node:crypto'
import type { PaymentsDiagnosis, ProviderWebhook } from './payments-provider.ts'
import type { Proof } from '@trainyard/platform/server/run/secrets/proof.ts'
import { type Check, green, greenUnless, notUsed, red, type Defect } from '@trainyard/platform/server/doctor/check.ts'
import { proofAt } from '@trainyard/platform/server/doctor/public-url.ts'

export interface RazorpayOptions {
  readonly diagnosis: PaymentsDiagnosis | null
  readonly keyId: string
  readonly emulated: boolean
  readonly publicUrl: string
  readonly prove: (nonce: string) => Proof
  readonly reached: Check
  readonly needs: readonly Check[]
}

/**
 * Webhook events that the portal needs. Without an event, the payment is credited late, because its state is only
 * polled.
 */
const EVENTS = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'order.paid',
  'refund.processed',
  'refund.failed',
]

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
    const none = async () => notUsed('RAZORPAY_KEY_ID is not set: online payment is off.')
    return [{ group, name: 'key', otherwise: '', run: none }]
  }
  const address = `${publicUrl}/api/payments/webhook`
  const key: Check = {
    group,
    name: 'key',
    needs,
    otherwise:
      'Check RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET. Create new ones in the dashboard if needed (Account & Settings, API Keys).',
    async run(signal) {
      const { test } = await diagnosis.key(signal)
      return green(`${keyId} is accepted${test ? '. It is a test key: no money moves' : ''}.`)
    },
  }
  const advice = `In Razorpay's dashboard (Account & Settings, Webhooks) send events to ${address}.`
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
        const webhook = emulated ? found[0] : found.find(({ url }) => sameAddress(url, address))
        if (webhook === undefined) return red(`Razorpay sends no events to ${address}.`, advice)
        return greenUnless(problemsOf(webhook), `Events go to ${webhook.url}.`)
      },
    },
    {
      group,
      name: 'webhook address',
      needs: [reached],
      otherwise: `Configure the reverse proxy to forward POST requests at ${address} to the portal.`,
      async run(signal) {
        // The portal rejects a plain-text body before it parses the body. It would parse a JSON event without a
        // signature, and leave an audit row.
        const headers = { 'content-type': 'text/plain' }
        const reply = await fetch(address, { method: 'POST', headers, body: 'A question.', signal, redirect: 'error' })
        const text = await reply.text()
        return reply.status === 400 && text.includes('"requestId"')
          ? green(`Requests to ${address} reach the portal.`)
          : red(
              `${address} answered ${reply.status} instead of the portal's reply.`,
              'Configure the reverse proxy to forward POST requests there unchanged, without a login.',
            )
      },
    },
    {
      group,
      name: 'webhook secret',
      needs: [reached],
      otherwise: 'Restart the portal with these settings.',
      async run(signal) {
        const nonce = randomBytes(24).toString('base64url')
        const { proof } = await proofAt(publicUrl, nonce, signal)
        return proof?.webhook === prove(nonce).webhook
          ? green('The running portal uses this secret. The first event will show whether Razorpay uses it too.')
          : red(
              'The running portal has another RAZORPAY_WEBHOOK_SECRET than these settings.',
              'Use the same secret for all processes and in the dashboard, and restart the processes.',
            )
      },
    },
  ]
}

function problemsOf({ url, active, hasSecret, events }: ProviderWebhook): Defect[] {
  const missing = EVENTS.filter((event) => !events.includes(event))
  const location = "In Razorpay's dashboard (Account & Settings, Webhooks)"
  return [
    ...(active
      ? []
      : [
          {
            what: `The webhook to ${url} is disabled, as Razorpay does after a day of failures.`,
            todo: `${location} enable it.`,
          },
        ]),
    ...(hasSecret ? [] : [{ what: 'The webhook has no secret.', todo: `${location} set RAZORPAY_WEBHOOK_SECRET.` }]),
    ...(missing.length === 0
      ? []
      : [
          { what: `The webhook does not receive ${missing.join(', ')}.`, todo: `${location} select these events too.` },
        ]),
  ]
}

const sameAddress = (a: string, b: string): boolean => a.replace(/\/$/, '') === b
