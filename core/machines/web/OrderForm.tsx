import { Button, Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useId, useState, type FormEvent } from 'react'
import { MACHINES_PER_CALL, NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { BROWSER_ACCESS_SURCHARGE, formatRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { useTrainings } from '@trainyard/platform/web/navigation/trainings.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { useUnsaved } from '@trainyard/platform/web/ui/unsaved.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { allottedOf, hoursFieldValue } from '@trainyard/trainings/web/allotted.ts'
import { EmailChips } from './EmailChips.tsx'
import { NO_ENTRIES, invalidOf, validOf, type Entries } from './entries.ts'
import { learnersWithMachine } from './order-checks.ts'
import styles from './OrderForm.module.css'
import { Quote } from './Quote.tsx'
import type { Template } from './TemplateCard.tsx'
import { useMachinesOf } from './useMachinesOf.ts'

export interface Order {
  readonly trainingName: string
  readonly email: string[]
  readonly names: { readonly email: string; readonly name: string }[]
  /** In minutes; null for no limit. */
  readonly allocatedHours: number | null
  readonly guacamole: boolean
  /** Time at which the machines must be ready. They are created early enough. Without it they are created at once. */
  readonly readyBy?: { readonly date: string; readonly time: string }
}

export type Batch = Omit<Order, 'email' | 'names' | 'readyBy'>

interface OrderFormProps {
  template: Template
  organization: string
  like: Batch | null
  /** Keeps the entries without showing them, while they are confirmed. */
  hidden: boolean
  /** @param excluded typed entries that are not valid e-mails */
  submit: (order: Order, excluded: readonly string[]) => void
  close: () => void
}

export function OrderForm({ template, organization, like, hidden, submit, close }: OrderFormProps) {
  const form = useId()
  const trainings = useTrainings(organization)
  const [training, setTraining] = useState(like?.trainingName ?? '')
  const [entries, setEntries] = useState<Entries>(NO_ENTRIES)
  const [hours, setHours] = useState(hoursFieldValue(like?.allocatedHours ?? null))
  const [browserAccess, setBrowserAccess] = useState(like?.guacamole ?? false)
  const [date, setDate] = useState('')
  const [time, setTime] = useState('')
  const [tried, setTried] = useState(false)
  const { leave, question } = useUnsaved(
    training !== (like?.trainingName ?? '') ||
      entries !== NO_ENTRIES ||
      hours !== hoursFieldValue(like?.allocatedHours ?? null) ||
      browserAccess !== (like?.guacamole ?? false) ||
      date !== '' ||
      time !== '',
  )

  const trainingName = training.trim()
  const learners = validOf(entries)
  const emails = learners.map(({ email }) => email)
  const isKnown = trainings.data?.includes(trainingName) ?? false
  const { machines } = useMachinesOf(isKnown && emails.length > 0 ? trainingName : null, organization)
  const having = learnersWithMachine(emails, machines)
  const allotted = allottedOf(hours)
  const problems = {
    training: trainingName === '' ? 'Enter the name of the training.' : null,
    emails:
      entries.inDoubt !== null
        ? 'Choose the column with the addresses of the learners, or leave out the list.'
        : entries.rows.length > 0
          ? entries.rows.length === 1
            ? 'Correct the row above, or leave it out.'
            : `Correct the ${entries.rows.length} rows above, or leave them out.`
          : emails.length === 0
            ? 'Enter at least one valid e-mail.'
            : emails.length > MACHINES_PER_CALL
              ? `An order takes at most ${MACHINES_PER_CALL} e-mails.`
              : null,
    hours: 'problem' in allotted ? allotted.problem : null,
    readyBy: (date === '') === (time === '') ? null : 'Choose both a day and a time, or neither.',
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problems.training || problems.emails || problems.readyBy || 'problem' in allotted) return
    const order = {
      trainingName,
      email: emails,
      names: learners.flatMap(({ email, name }) => (name === null ? [] : [{ email, name }])),
      allocatedHours: allotted.minutes,
      guacamole: browserAccess,
      ...(date !== '' && { readyBy: { date, time } }),
    }
    submit(
      order,
      invalidOf(entries).map(({ email }) => email),
    )
  }

  if (hidden) return null
  return (
    <>
      <Dialog
        title="Order VMs"
        close={() => leave(close)}
        foot={
          <>
            <Quote
              rate={template.rate}
              machines={emails.length}
              browserAccess={browserAccess}
              minutes={'problem' in allotted ? null : allotted.minutes}
              organization={organization}
              trainingName={isKnown ? trainingName : ''}
            />
            <Button type="submit" form={form}>
              Submit
            </Button>
          </>
        }
      >
        <form id={form} className="stack" noValidate onSubmit={onSubmit}>
          <p>
            {template.name}, {formatRupees(template.rate)} an hour
          </p>
          <TextInput
            label="Training Name"
            list={`${form}trainings`}
            autoComplete="off"
            maxLength={NAME_LENGTH}
            {...controlledText(training, setTraining)}
            error={tried && problems.training}
          />
          <datalist id={`${form}trainings`}>
            {trainings.data?.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          <EmailChips
            entries={entries}
            change={setEntries}
            problem={tried ? problems.emails : null}
            having={having}
            isFirst={like !== null}
          />
          <TextInput
            label="Allocated Hours"
            description="For each VM; empty or 0 means no limit."
            inputMode="decimal"
            autoComplete="off"
            {...controlledText(hours, setHours)}
            error={(tried || hours !== '') && problems.hours}
          />
          <Checkbox
            label="Browser Based VM Access"
            description={`${rupeesOfPaise(BROWSER_ACCESS_SURCHARGE)} rupees extra an hour for each VM.`}
            {...controlledCheck(browserAccess, setBrowserAccess)}
          />
          <div className={styles.readyBy}>
            <DateField label="Ready on" {...controlledText(date, setDate)} />
            <TextInput
              type="time"
              label="Ready at"
              {...controlledText(time, setTime)}
              error={tried && problems.readyBy}
            />
            <p className="dim">We start early so that the machines are ready by then. Leave empty to start now.</p>
          </div>
        </form>
      </Dialog>
      {question}
    </>
  )
}
