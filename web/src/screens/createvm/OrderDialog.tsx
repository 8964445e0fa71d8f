import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api.ts'
import { useMe } from '#src/me.ts'
import { trainingsKey } from '#src/trainings.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { OrderForm, type Order } from './OrderForm.tsx'
import { Ordered } from './Ordered.tsx'
import type { Template } from './TemplateCard.tsx'

interface OrderDialogProps {
  template: Template
  organization: string
  close: () => void
}

/** Order VMs: the form, the question whether so many are meant, and what became of it. */
export default function OrderDialog({ template, organization, close }: OrderDialogProps) {
  const { role } = useMe()
  const cache = useQueryClient()
  // One wish, one key: a second click or a repeat after a lost answer finds the first order.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
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
        { idempotencyKey },
      ),
    onSuccess: () => cache.invalidateQueries({ queryKey: trainingsKey(organization) }),
    onError: (error) => {
      setAsked(null)
      notify.alert(error.message)
    },
  })

  if (order.isSuccess) {
    return <Ordered trainingName={order.variables.trainingName} waitMinutes={order.data.waitMinutes} close={close} />
  }
  return (
    <>
      <OrderForm template={template} organization={organization} submit={setAsked} close={close} />
      {asked && (
        <ConfirmDialog
          title="Create VMs"
          confirm={`Create ${asked.email.length} ${asked.email.length === 1 ? 'VM' : 'VMs'}`}
          busy={order.isPending && 'Creating...'}
          onConfirm={() => {
            if (!order.isPending) order.mutate(asked)
          }}
          close={() => setAsked(null)}
        >
          <p>
            {asked.email.length === 1 ? '1 VM' : `${asked.email.length} VMs`} of <strong>{template.name}</strong> will
            be created for the training <strong>{asked.trainingName}</strong> of {organization}, one for each e-mail.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
