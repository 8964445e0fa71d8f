import { useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { useMe } from '#src/session/me.ts'
import { notify } from '#src/ui/notices.ts'
import { ConfirmOrder } from './ConfirmOrder.tsx'
import { OrderForm, type Batch, type Order } from './OrderForm.tsx'
import type { Template } from './TemplateCard.tsx'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Dialog } from '#src/ui/Dialog.tsx'

interface OrderDialogProps {
  template: Template
  organization: string
  like: Batch | null
  close: () => void
}

/** Order VMs: the form, the confirmation and the result. */
export default function OrderDialog({ template, organization, like, close }: OrderDialogProps) {
  const { role } = useMe()
  const keyOf = useWishKeys()
  const [asked, setAsked] = useState<Order | null>(null)
  const order = useMutation({
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
      setAsked(null)
      notify.alert(error.message, error)
    },
  })

  if (order.isSuccess) {
    return <Ordered trainingName={order.variables.trainingName} said={order.data.message} close={close} />
  }
  return (
    <>
      <OrderForm template={template} organization={organization} like={like} submit={setAsked} close={close} />
      {asked && (
        <ConfirmOrder
          template={template}
          organization={organization}
          order={asked}
          busy={order.isPending}
          confirm={(wanted) => {
            if (!order.isPending) order.mutate(wanted)
          }}
          close={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** The same order has the same key: a second click or a repeat after a lost answer finds the first order. */
function useWishKeys() {
  const keys = useRef(new Map<string, string>())
  return (wanted: Order): string => {
    const wish = JSON.stringify(wanted)
    const key = keys.current.get(wish) ?? crypto.randomUUID()
    keys.current.set(wish, key)
    return key
  }
}

interface OrderedProps {
  trainingName: string
  /** The server's sentence. */
  said: string
  close: () => void
}

/** The order is accepted; the console shows its machines coming up. */
function Ordered({ trainingName, said, close }: OrderedProps) {
  return (
    <Dialog title="Order VMs" close={close} foot={<Button onClick={close}>Close</Button>}>
      <output>{said}</output>
      <p>
        <Link to="/vm/vmdetails" search={(now: object) => ({ ...now, training: trainingName })}>
          Watch {trainingName} in the Virtual Lab Console
        </Link>
      </p>
    </Dialog>
  )
}
