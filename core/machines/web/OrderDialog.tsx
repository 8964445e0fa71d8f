import { useRef, useState } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { ConfirmOrder } from './ConfirmOrder.tsx'
import { OrderForm, type Batch, type Order } from './OrderForm.tsx'
import type { Template } from './TemplateCard.tsx'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import styles from './OrderForm.module.css'

interface OrderDialogProps {
  template: Template
  organization: string
  like: Batch | null
  close: () => void
}

export default function OrderDialog({ template, organization, like, close }: OrderDialogProps) {
  const { role } = useMe()
  const keyOf = useIdempotencyKeys()
  const [requested, setRequested] = useState<{ order: Order; excluded: readonly string[] } | null>(null)
  const order = useDedupedMutation({
    mutationFn: (wanted: Order) =>
      api.machine.order(
        {
          templateName: template.name,
          ...wanted,
          createVmCount: wanted.email.length,
          ...(role === 'superadmin' ? { organization } : {}),
        },
        { idempotencyKey: keyOf(wanted) },
      ),
    onSuccess: () => invalidate(api.training.names, api.machine.lastOrder),
    onError: (error) => {
      setRequested(null)
      notify.alert(error.message, error)
    },
  })

  if (order.isSuccess) {
    const { message, waitMinutes }: { message?: string; waitMinutes: number } = order.data
    return (
      <Ordered
        trainingName={order.variables.trainingName}
        said={message ?? ALERTS.ordered(waitMinutes)}
        close={close}
      />
    )
  }
  return (
    <>
      <OrderForm
        template={template}
        organization={organization}
        like={like}
        hidden={requested !== null}
        submit={(wanted, excluded) => setRequested({ order: wanted, excluded })}
        close={close}
      />
      {requested && (
        <ConfirmOrder
          template={template}
          organization={organization}
          {...requested}
          busy={order.isPending}
          confirm={(wanted) => {
            if (!order.isPending) order.mutate(wanted)
          }}
          close={() => setRequested(null)}
        />
      )}
    </>
  )
}

/** Returns keys of orders. Equal orders get the same key, so that a retry after a lost reply finds the first order. */
function useIdempotencyKeys() {
  const keys = useRef(new Map<string, string>())
  return (wanted: Order): string => {
    const wish = JSON.stringify(wanted)
    const key = keys.current.get(wish) ?? newId()
    keys.current.set(wish, key)
    return key
  }
}

const NEXT_STEPS = [
  { to: '/vm/vmdetails', words: (training: string) => `Watch ${training} in the Virtual Lab Console` },
  { to: '/vm/scheduler', words: () => 'Plan when its machines run' },
  { to: '/vm/restriction', words: () => 'Choose when learners have access' },
  { to: '/vm/billing', words: () => 'See what it costs' },
] as const

interface OrderedProps {
  trainingName: string
  said: string
  close: () => void
}

function Ordered({ trainingName, said, close }: OrderedProps) {
  return (
    <Dialog title="Order VMs" close={close} foot={<Button onClick={close}>Close</Button>}>
      <output>{said}</output>
      <ul className={styles.next} aria-label="Next steps">
        {NEXT_STEPS.map(({ to, words }) => (
          <li key={to}>
            <Link to={to} search={(now: object) => ({ ...now, training: trainingName })}>
              {words(trainingName)}
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
