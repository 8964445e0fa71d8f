import { useEffect, useRef, useState } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { openCheckout, type Order, type Paid } from './checkout.ts'
import type { Page } from '@trainyard/ledger/web/statement.ts'
import { paymentsIn, type Unsettled } from './unsettled.ts'

const CLOSED =
  'The checkout was closed. If you have already paid, the payment is credited and shown here as soon as your bank confirms it.'

const isRetryable = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** Refetches everything that a payment can change. */
export const refetchPaid = () => invalidate('ledger', 'payment', 'machine', 'home')

export function usePayment(organization: string) {
  const { email } = useMe()
  const [unsettled, setUnsettled] = useState<Unsettled | null>(null)
  const closeCheckout = useRef<(() => void) | null>(null)
  useEffect(() => () => closeCheckout.current?.(), [])

  const verifying = useDedupedMutation({
    mutationFn: ({ paid, order }: { paid: Paid; order: Order; known: ReadonlySet<string> }) =>
      api.payment.verify({
        payment_id: paid.razorpay_payment_id,
        order_id: paid.razorpay_order_id,
        signature: paid.razorpay_signature,
        amount: order.amount,
      }),
    retry: (failures, error) => failures < 3 && isRetryable(error),
    onSuccess: ({ message }: { message?: string }) => notify.status(message ?? ALERTS.paymentVerified),
    onError: (error, { order, known }) => {
      if (isRetryable(error)) setUnsettled({ order, known, why: error.message })
      else notify.alert(ALERTS.paymentFailed)
    },
    onSettled: refetchPaid,
  })

  return {
    verifying: verifying.isPending,
    unsettled,
    forget: () => setUnsettled(null),
    /** Opens the checkout for an order. `newest` is the account before the payment. */
    open(order: Order, newest: Page) {
      const known = paymentsIn(newest)
      setUnsettled(null)
      closeCheckout.current = openCheckout(
        order,
        { organization, email },
        {
          paid: (paid) => verifying.mutate({ paid, order, known }),
          dismissed: () => {
            setUnsettled({ order, known, why: CLOSED })
            void refetchPaid()
          },
        },
      )
    },
  }
}
