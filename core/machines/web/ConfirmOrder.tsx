import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { momentWords } from '@trainyard/platform/web/ui/time.ts'
import { hoursText } from '@trainyard/platform/web/ui/hours.ts'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Ahead } from '@trainyard/usage/web/Ahead.tsx'
import { useTrainings } from '@trainyard/platform/web/navigation/trainings.ts'
import { creditLimitWarning, learnersWithMachine, namesOf } from './order-checks.ts'
import type { Order } from './OrderForm.tsx'
import { allottedPrice, hourlyPrice } from './price.ts'
import styles from './Quote.module.css'
import type { Template } from './TemplateCard.tsx'
import { useCreditLimit } from './useCreditLimit.ts'
import { useMachinesOf } from './useMachinesOf.ts'

interface ConfirmOrderProps {
  template: Template
  organization: string
  order: Order
  /** Typed entries that are not valid e-mails. */
  excluded: readonly string[]
  busy: boolean
  confirm: (order: Order) => void
  close: () => void
}

export function ConfirmOrder({ template, organization, order, excluded, busy, confirm, close }: ConfirmOrderProps) {
  const { trainingName, guacamole, allocatedHours, readyBy } = order
  const { machines, isPending, isError } = useMachinesOf(trainingName, organization)
  const trainings = useTrainings(organization)
  const isKnown = trainings.data?.includes(trainingName) ?? false
  const credit = useCreditLimit(organization, isKnown ? trainingName : '')
  const [leaveOut, setLeaveOut] = useState(false)
  /** The credit warning that the user accepted. If the warning changes, it must be accepted again. */
  const [agreedTo, setAgreedTo] = useState<string | null>(null)

  const having = learnersWithMachine(order.email, machines)
  const email = leaveOut ? order.email.filter((address) => !having.includes(address)) : order.email
  const withName = (address: string) => {
    const named = order.names.find((each) => each.email === address)
    return named === undefined ? address : `${givenNameFirst(named.name)} <${address}>`
  }
  const total = allocatedHours === null ? null : allottedPrice(template.rate, email.length, guacamole, allocatedHours)
  const warning = creditLimitWarning(organization, total, credit)
  const may = isPending
    ? 'Checking who already has a machine.'
    : email.length === 0
      ? 'No learners are left to create a VM for.'
      : warning === undefined
        ? 'Checking the remaining credit.'
        : warning === null || agreedTo === warning || 'Tick the box to exceed the credit limit.'
  return (
    <ConfirmDialog
      title="Create VMs"
      confirm={`Create ${countOf(email.length, 'VM')}`}
      busy={busy && 'Creating...'}
      may={may}
      onConfirm={() => confirm({ ...order, email, names: order.names.filter((named) => email.includes(named.email)) })}
      close={close}
    >
      <p>
        {countOf(email.length, 'VM')} of <strong>{template.name}</strong> will be created for the training{' '}
        <strong>{trainingName}</strong> of {organization}
        {readyBy && <>, to be ready at {momentWords(readyBy)}</>}
        {email.length > 0 && <>, one for each e-mail: {namesOf(email.map(withName))}</>}.
      </p>
      {excluded.length > 0 && (
        <p>
          <strong>
            {excluded.length === 1
              ? '1 entry is not a valid e-mail and gets no VM:'
              : `${excluded.length} entries are not valid e-mails and get no VM:`}
          </strong>{' '}
          {namesOf(excluded)}.
        </p>
      )}
      {leaveOut && having.length > 0 && (
        <p>
          <strong>
            {having.length === 1
              ? '1 learner has a machine already and gets no VM:'
              : `${having.length} learners have a machine already and get no VM:`}
          </strong>{' '}
          {namesOf(having.map(withName))}.
        </p>
      )}
      {isError && <p>Could not check who already has a machine in {trainingName}.</p>}
      {having.length > 0 && (
        <>
          <output>
            {having.length === 1 ? '1 learner has' : `${having.length} learners have`} a machine in {trainingName}{' '}
            already: {namesOf(having)}.
          </output>
          <Checkbox
            label={having.length === 1 ? 'Leave this learner out' : 'Leave these learners out'}
            {...controlledCheck(leaveOut, setLeaveOut)}
          />
        </>
      )}
      <section aria-label="Cost of these VMs" className={styles.quote}>
        <dl>
          <Fact term="VMs">{email.length}</Fact>
          <Fact term="Per hour while all run">{formatRupees(hourlyPrice(template.rate, email.length, guacamole))}</Fact>
          <Fact
            term={
              allocatedHours === null
                ? 'For the allocated hours'
                : `For the ${hoursText(allocatedHours)} allocated to each`
            }
          >
            {total === null ? 'no limit' : formatRupees(total)}
          </Fact>
        </dl>
      </section>
      <Ahead
        organization={organization}
        trainingName={isKnown ? trainingName : undefined}
        adds={total === null ? 0 : Math.round(total * 100)}
      />
      {warning && (
        <Checkbox
          label="Order beyond the credit limit"
          description={warning}
          {...controlledCheck(agreedTo === warning, (agrees) => setAgreedTo(agrees ? warning : null))}
        />
      )}
    </ConfirmDialog>
  )
}
