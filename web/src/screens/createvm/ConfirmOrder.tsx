import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { api } from '#src/api/client.ts'
import { ApiError } from '#src/api/error.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { countOf } from '#src/ui/count-of.ts'
import { momentWords } from '#src/training/ready-words.ts'
import { hoursSaid } from '#src/ui/hours.ts'
import { creditQuestion, havingMachines, namesOf } from './before-order.ts'
import type { Order } from './OrderForm.tsx'
import { allottedPrice, hourlyPrice } from './price.ts'
import styles from './Quote.module.css'
import type { Template } from './TemplateCard.tsx'
import { useCredit } from './useCredit.ts'

interface ConfirmOrderProps {
  template: Template
  organization: string
  order: Order
  busy: boolean
  confirm: (order: Order) => void
  close: () => void
}

/** Confirms an order: the number of machines, the learners who have one already, the cost, and the credit left. */
export function ConfirmOrder({ template, organization, order, busy, confirm, close }: ConfirmOrderProps) {
  const { trainingName, guacamole, allocatedHours, readyBy } = order
  const { machines, isPending, isError } = useMachinesOf(trainingName, organization)
  const credit = useCredit(organization)
  const [leaveOut, setLeaveOut] = useState(false)
  /** The sentence that was agreed to: to another one, of more money, it must be done anew. */
  const [agreedTo, setAgreedTo] = useState<string | null>(null)

  const having = havingMachines(order.email, machines)
  const email = leaveOut ? order.email.filter((one) => !having.includes(one)) : order.email
  const total = allocatedHours === null ? null : allottedPrice(template.rate, email.length, guacamole, allocatedHours)
  const beyond = creditQuestion(organization, total, credit)
  const may = isPending
    ? 'It is being looked up who has a machine already.'
    : email.length === 0
      ? 'Nobody is left to create a VM for.'
      : beyond === undefined
        ? 'It is being looked up what is left of the credit limit.'
        : beyond === null || agreedTo === beyond || 'Tick that it may go beyond the credit limit.'
  return (
    <ConfirmDialog
      title="Create VMs"
      confirm={`Create ${countOf(email.length, 'VM')}`}
      busy={busy && 'Creating...'}
      may={may}
      onConfirm={() => confirm({ ...order, email })}
      close={close}
    >
      <p>
        {countOf(email.length, 'VM')} of <strong>{template.name}</strong> will be created for the training{' '}
        <strong>{trainingName}</strong> of {organization}, one for each e-mail
        {readyBy && <>, to be ready at {momentWords(readyBy)}</>}.
      </p>
      {isError && <p>It could not be looked up who has a machine in {trainingName} already.</p>}
      {having.length > 0 && (
        <>
          <output>
            {having.length === 1 ? '1 learner has' : `${having.length} learners have`} a machine in {trainingName}{' '}
            already: {namesOf(having)}.
          </output>
          <Checkbox
            label={having.length === 1 ? 'Leave this learner out' : 'Leave these learners out'}
            checked={leaveOut}
            onChange={(event) => setLeaveOut(event.currentTarget.checked)}
          />
        </>
      )}
      <section aria-label="What these VMs cost" className={styles.quote}>
        <dl>
          <div>
            <dt>VMs</dt>
            <dd>{email.length}</dd>
          </div>
          <div>
            <dt>An hour while all run</dt>
            <dd>{formatRupees(hourlyPrice(template.rate, email.length, guacamole))}</dd>
          </div>
          <div>
            <dt>
              {allocatedHours === null
                ? 'For the hours allotted'
                : `For the ${hoursSaid(allocatedHours)} allotted to each`}
            </dt>
            <dd>{total === null ? 'no limit' : formatRupees(total)}</dd>
          </div>
        </dl>
      </section>
      {beyond && (
        <Checkbox
          label="Order beyond the credit limit"
          description={beyond}
          checked={agreedTo === beyond}
          onChange={(event) => setAgreedTo(event.currentTarget.checked ? beyond : null)}
        />
      )}
    </ConfirmDialog>
  )
}

/** The training's machines, looked up anew for each dialog. A new training has none. */
function useMachinesOf(trainingName: string, organization: string) {
  const { role } = useMe()
  const { data, error, isFetchedAfterMount } = useQuery({
    ...query(api.machine.list, role === 'superadmin' ? { trainingName, organization } : { trainingName }),
    retry: false,
    staleTime: 0,
  })
  const isNew = error instanceof ApiError && error.status === 404
  return { machines: isNew ? [] : (data ?? []), isPending: !isFetchedAfterMount, isError: error !== null && !isNew }
}
