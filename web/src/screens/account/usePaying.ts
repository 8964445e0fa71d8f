import { useEffect, useRef, useState } from 'react'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { ApiError } from '#src/api/error.ts'
import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { useMe } from '#src/session/me.ts'
import { notify } from '#src/ui/notices.ts'
import { openCheckout, type Order, type Paid } from './checkout.ts'
import type { Page } from './statement.ts'
import { paymentsIn, type Unsettled } from './unsettled.ts'

const CLOSED =
  'The checkout was closed. If you had paid already, it is credited all the same as soon as your bank confirms it, and shows here.'

/** No answer, or an overloaded server: asking again can only help. */
const mayHelp = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** Takes one payment from its order to the server's verification. */
export function usePaying(organization: string) {
  const { email } = useMe()
  const [unsettled, setUnsettled] = useState<Unsettled | null>(null)
  const takeAway = useRef<(() => void) | null>(null)
  useEffect(() => () => takeAway.current?.(), [])

  const renew = () => invalidate('ledger', 'payment')
  const verifying = useMutation({
    mutationFn: ({ paid, order }: { paid: Paid; order: Order; known: ReadonlySet<string> }) =>
      api.payment.verify({
        payment_id: paid.razorpay_payment_id,
        order_id: paid.razorpay_order_id,
        signature: paid.razorpay_signature,
        amount: order.amount,
      }),
    retry: (failures, error) => failures < 3 && mayHelp(error),
    onSuccess: () => notify.status(ALERTS.paymentVerified),
    onError: (error, { order, known }) => {
      if (mayHelp(error)) setUnsettled({ order, known, why: error.message })
      else notify.alert(ALERTS.paymentFailed)
    },
    onSettled: renew,
  })

  return {
    verifying: verifying.isPending,
    unsettled,
    forget: () => setUnsettled(null),
    /** Opens the checkout for an order; `newest` is the account before it. */
    open(order: Order, newest: Page) {
      const known = paymentsIn(newest)
      setUnsettled(null)
      takeAway.current = openCheckout(
        order,
        { organization, email },
        {
          paid: (paid) => verifying.mutate({ paid, order, known }),
          dismissed: () => {
            setUnsettled({ order, known, why: CLOSED })
            void renew()
          },
        },
      )
    },
  }
}
