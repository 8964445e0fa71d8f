import { randomUUID } from 'node:crypto'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { Payments } from '@trainyard/payments/server/payments-provider.ts'
import { openCheckout } from './checkout-page.ts'
import { type Scenario, ScenarioError, type ScenarioContext } from './scenario.ts'
import { until } from './polling.ts'

export interface PaymentScenarioOptions {
  readonly payments: Payments | null
  readonly pollMs: number
  readonly logMessage: (text: string) => void
}

const ONE_RUPEE = 100
const LIMIT_MS = 600_000

/** Pays one rupee with the provider's test key: the user pays on a local page with a test card. */
export function paymentScenario({ payments, pollMs, logMessage }: PaymentScenarioOptions): Scenario {
  return {
    name: 'A payment of one rupee',
    maxCost: paise(0),
    limitMs: LIMIT_MS,
    skipReason: refusal(payments),
    async run({ signal, step }: ScenarioContext) {
      if (payments === null) return
      const receipt = `live-${randomUUID().slice(-12)}`
      const { orderId } = await step('order', () =>
        payments.createOrder({ receipt, amount: ONE_RUPEE, notes: { purpose: 'npm run live' } }, signal),
      )
      const page = await openCheckout(payments.checkout, { orderId, amount: ONE_RUPEE })
      try {
        await step('paid and captured', async () => {
          logMessage(`  Pay with a test card within ten minutes: ${page.url}\n`)
          const paid = await until('the payment came', { signal, pollMs }, async () => {
            const seen = await payments.listPayments(orderId, signal)
            const authorised = seen.find(({ state }) => state === 'authorised')
            if (authorised !== undefined) await payments.capture(authorised, signal)
            return seen.find(({ state }) => state === 'captured') ?? null
          })
          if (paid.amount !== ONE_RUPEE || paid.currency !== 'INR') {
            throw new ScenarioError(`Expected one rupee, but ${paid.amount} paise (${paid.currency}) were captured.`)
          }
        })
      } finally {
        await page.close()
      }
    },
  }
}

function refusal(payments: Payments | null): string | null {
  if (payments === null) return 'RAZORPAY_KEY_ID is not set: online payment is off.'
  return payments.checkout.keyId.startsWith('rzp_test_')
    ? null
    : 'RAZORPAY_KEY_ID is not a test key: no payment is made.'
}
